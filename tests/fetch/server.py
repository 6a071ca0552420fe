"""A web server that behaves well or badly by the path that it is asked for.

server.py FOLDER: prints its port, then serves until its standard input ends. Every request is a line
of FOLDER/../requests.log.
"""
import http.server
import os
import sys
import threading
import time
import urllib.parse

folder = os.path.abspath(sys.argv[1])
log = open(os.path.join(folder, "..", "requests.log"), "a", buffering=1)
asked = {}
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with lock:
            log.write(self.path + "\n")
            count = asked[self.path] = asked.get(self.path, 0) + 1
        kind, _, rest = self.path.lstrip("/").partition("/")
        try:
            getattr(self, "answer_" + kind, self.answer_file)(rest, count)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        headers.setdefault("Content_Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def answer_file(self, rest, count):
        if "slowly" in self.path and count == 1:
            return self.send_slowly()
        self.send(urllib.parse.unquote(self.path.split("?")[0].lstrip("/")))

    def send(self, name):
        path = os.path.normpath(os.path.join(folder, name))
        if not path.startswith(folder) or not os.path.isfile(path):
            return self.answer(404, b"not here")
        with open(path, "rb") as file:
            self.answer(200, file.read())

    def send_slowly(self):
        """Some 3 MB a second of a file that is much larger, until nobody wants it any more."""
        self.send_response(200)
        self.send_header("Content-Length", "200000000")
        self.end_headers()
        while True:
            self.wfile.write(b"PROTO " * 10000)
            self.wfile.flush()
            time.sleep(0.02)

    def answer_flaky(self, rest, count):
        if count == 1:
            return self.answer(500, b"not now")
        self.send(rest)

    def answer_broken(self, rest, count):
        self.answer(503)

    def answer_short(self, rest, count):
        self.answer(200, b"half", Content_Length="1000")
        self.close_connection = True

    def answer_loop(self, rest, count):
        self.answer(302, Location="/loop/" + str(count) + rest)

    def answer_moved(self, rest, count):
        self.answer(301, Location="/" + rest)

    def answer_passwd(self, rest, count):
        self.answer(302, Location="file:///etc/passwd")

    def answer_user(self, rest, count):
        self.answer(302, Location="http://user:word@%s/%s" % (self.headers["Host"], rest))

    def answer_drip(self, rest, count):
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while True:
            self.wfile.write(b"x")
            self.wfile.flush()
            time.sleep(0.2)

    def answer_silent(self, rest, count):
        time.sleep(60)

    def answer_huge(self, rest, count):
        self.send_response(200)  # no length: only counting tells
        self.end_headers()
        while True:
            self.wfile.write(b"x" * 65536)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
