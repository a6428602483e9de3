"""The API for programs, under `/api/v1`. `routes` adds it to the application."""
