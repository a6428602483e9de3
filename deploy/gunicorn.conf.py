"""How gunicorn serves the viewer: two processes, threads in each for the games that are followed live."""

import os

bind = os.environ.get("AUDIT_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("AUDIT_WORKERS", "2"))
worker_class = "gthread"
threads = int(os.environ.get("AUDIT_THREADS", "48"))
timeout = 60
graceful_timeout = 10
limit_request_line = 4094
limit_request_fields = 50
forwarded_allow_ips = ""
control_socket_disable = True
