"""What an attacker would try; each test failed before what it tests was mended."""
