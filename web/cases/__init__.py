"""Cases in the viewer: the list, one case on a phone, infractions, branches."""
