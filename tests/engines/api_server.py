"""A small Kubernetes on this machine: an API server with as much as kubectl needs to create, get, delete and follow jobs and
pods, and nodes that run a pod's container as a process in a PID namespace. It serves on a port of 127.0.0.1.

    api_server.py FOLDER

FOLDER gets `port`, and `kubeconfig` for KUBECONFIG. Two nodes, k1 and k2, have 8 nvidia.com/gpu each; the image train:1 is there,
and no other. What befalls pods is ordered by POST /test/...: evict?case=C, oom?case=C, drop?case=C (the pod is gone), drain?case=C (it is
asked to go), cut (all
logs that are followed end), down?seconds=N (nobody listens).
"""
import datetime
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

folder = pathlib.Path(sys.argv[1])
lock = threading.RLock()
changed = threading.Condition(lock)
objects = {"jobs": {}, "pods": {}, "services": {}}  # kind -> name -> object
processes = {}  # pod -> Popen
logs = {}  # pod -> [(time, line)]
capacity = {"k1": 8, "k2": 8}
cuts = 0
KINDS = {"jobs": ("batch/v1", "Job"), "pods": ("v1", "Pod"), "services": ("v1", "Service")}
VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]


def now():
    return datetime.datetime.utcnow().strftime("%Y-%m-%dT%H:%M:%S.%f") + "000Z"


def expand(text, env):
    """What Kubernetes makes of $(NAME) and $$."""
    return re.sub(r"\$\$|\$\((\w+)\)", lambda m: "$" if m[0] == "$$" else env.get(m[1], m[0]), text)


def environment(pod):
    env = {"PATH": os.environ["PATH"], "HOSTNAME": pod["metadata"]["name"]}
    for one in pod["spec"]["containers"][0]["env"]:
        if "valueFrom" in one:
            key = re.search(r"\['(.*)'\]", one["valueFrom"]["fieldRef"]["fieldPath"])[1]
            env[one["name"]] = pod["metadata"]["annotations"][key]
        else:
            env[one["name"]] = expand(one["value"], env)
    job = pod["metadata"]["labels"]["gate-launch"]
    if env.get("MASTER_ADDR") == f"{job}-0.{job}":
        env["MASTER_ADDR"] = "127.0.0.1"  # in place of the cluster's name server
    return env


def devices_of(pod):
    limits = pod["spec"]["containers"][0].get("resources", {}).get("limits", {})
    return int(limits.get("nvidia.com/gpu", 0))


def set_state(pod, phase, state, **more):
    pod["status"].update({"phase": phase, "containerStatuses": [{"name": "case", "state": state}], **more})
    changed.notify_all()


def run(pod):
    name, container = pod["metadata"]["name"], pod["spec"]["containers"][0]
    env = environment(pod)
    words = [expand(word, env) for word in container["command"]]
    process = subprocess.Popen(
        ["unshare", "--pid", "--fork", "--kill-child=KILL", "--mount-proc", *words],
        cwd=container["workingDir"], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with lock:
        processes[name], logs[name] = process, []
        pod["started"] = time.monotonic()
        set_state(pod, "Running", {"running": {"startedAt": now()}})
    for line in process.stdout:
        with lock:
            logs[name].append((now(), line.decode("utf-8", "replace").rstrip("\n")))
            changed.notify_all()
    code = process.wait()
    code = code if code >= 0 else 128 - code
    with lock:
        if pod["status"]["phase"] == "Running":
            set_state(pod, "Failed" if code else "Succeeded", {"terminated": {"exitCode": code, "reason": "Error" if code else "Completed"}})


def end(pod, grace):
    """What the kubelet does: TERM for the first process, KILL for all after the grace."""
    process = processes.get(pod["metadata"]["name"])
    if not process:
        return
    if grace > 0:
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        for child in children.read_text().split() if children.exists() else []:
            os.kill(int(child), signal.SIGTERM)
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            pass
    process.kill()
    process.wait()


def remove_pod(pod, grace):
    """As the kubelet does: it is marked, ended, tells its end, and goes somewhat later."""
    with lock:
        pod["metadata"]["deletionTimestamp"] = now()[:19] + "Z"
    end(pod, grace)
    if grace > 0:
        time.sleep(1.5)
    with lock:
        objects["pods"].pop(pod["metadata"]["name"], None)
        job = objects["jobs"].get(pod["metadata"]["labels"]["gate-launch"])
        if job and pod["status"]["phase"] == "Succeeded":
            job["status"]["conditions"] = [{"type": "Complete", "status": "True"}]
        elif job:
            job["status"]["conditions"] = [{"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded", "message": "Job has reached the specified backoff limit"}]
        changed.notify_all()


def place(pod):
    """Give the pod a node, and run it; say why it waits."""
    wanted = devices_of(pod)
    for node in capacity:
        used = sum(devices_of(p) for p in objects["pods"].values() if p["spec"].get("nodeName") == node and p["status"]["phase"] in ("Pending", "Running"))
        if used + wanted <= capacity[node] and all(pod["spec"].get("nodeSelector", {}).get(k) in (None, node) for k in ("kubernetes.io/hostname",)):
            pod["spec"]["nodeName"] = node
            pod["status"]["conditions"] = [{"type": "PodScheduled", "status": "True"}]
            if pod["spec"]["containers"][0]["image"] == "train:1":
                threading.Thread(target=run, args=(pod,), daemon=True).start()
            else:
                set_state(pod, "Pending", {"waiting": {"reason": "ErrImagePull", "message": "pull access denied"}})
                pod["pulled"] = time.monotonic()
            return
    pod["status"]["conditions"] = [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/2 nodes are available: 2 Insufficient nvidia.com/gpu."}]


def schedule():
    while True:
        time.sleep(0.1)
        with lock:
            for pod in list(objects["pods"].values()):
                if "nodeName" not in pod["spec"]:
                    place(pod)
                elif time.monotonic() - pod.get("pulled", time.monotonic()) > 0.5:
                    set_state(pod, "Pending", {"waiting": {"reason": "ImagePullBackOff", "message": "Back-off pulling image"}})
            for job in list(objects["jobs"].values()):
                for pod in pods_of(job):
                    late = time.monotonic() - pod.get("started", time.monotonic()) > pod["spec"].get("activeDeadlineSeconds", 1e9)
                    if late and pod["status"]["phase"] == "Running":
                        set_state(pod, "Failed", {}, reason="DeadlineExceeded", message="Pod was active on the node longer than the specified deadline")
                        threading.Thread(target=end, args=(pod, 0), daemon=True).start()


def pods_of(job):
    return [p for p in objects["pods"].values() if p["metadata"]["labels"]["gate-launch"] == job["metadata"]["name"]]


def create(kind, thing):
    name = thing["metadata"]["name"]
    if name in objects[kind]:
        return 409, failure(409, "AlreadyExists", f'{kind} "{name}" already exists')
    api, singular = KINDS[kind]
    thing.update({"apiVersion": api, "kind": singular, "status": {}})
    thing["metadata"].update({"uid": name, "namespace": "lab", "creationTimestamp": now()[:19] + "Z"})
    objects[kind][name] = thing
    if kind == "jobs":
        thing["created"] = time.monotonic()
        for index in range(thing["spec"]["completions"]):
            pod = json.loads(json.dumps(thing["spec"]["template"]))
            pod_name = f"{name}-{index}-x"
            pod["metadata"].update({"name": pod_name, "namespace": "lab", "uid": pod_name, "creationTimestamp": now()[:19] + "Z",
                                    "annotations": {"batch.kubernetes.io/job-completion-index": str(index), "gate/case": thing["metadata"]["annotations"]["gate/case"]}})
            pod.update({"apiVersion": "v1", "kind": "Pod", "status": {"phase": "Pending"}})
            objects["pods"][pod_name] = pod
    return 201, thing


def delete(kind, name, grace):
    thing = objects[kind].get(name)
    if not thing:
        return 404, failure(404, "NotFound", f'{kind} "{name}" not found')
    pods = pods_of(thing) if kind == "jobs" else [thing] if kind == "pods" else []
    if kind != "pods":
        del objects[kind][name]
    for pod in pods:
        patience = pod["spec"].get("terminationGracePeriodSeconds", 30) if grace is None or kind == "jobs" else grace
        threading.Thread(target=remove_pod, args=(pod, patience), daemon=True).start()
    return 200, {"kind": "Status", "apiVersion": "v1", "status": "Success", "details": {"name": name}}


def failure(code, reason, message):
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "reason": reason, "message": message, "code": code}


def seconds(text):
    return datetime.datetime.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, code, body):
        data = json.dumps({k: v for k, v in body.items() if k not in ("created", "pulled", "started")} if isinstance(body, dict) else body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def parsed(self):
        url = urllib.parse.urlparse(self.path)
        query = {k: v[0] for k, v in urllib.parse.parse_qs(url.query).items()}
        found = re.fullmatch(r"/(?:api/v1|apis/batch/v1)/namespaces/lab/(\w+)(?:/([^/]+))?(?:/(\w+))?", url.path)
        return url.path, query, found.groups() if found else (None, None, None)

    def body(self):
        return json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")

    def do_GET(self):
        path, query, (kind, name, part) = self.parsed()
        if path == "/api":
            return self.answer(200, {"kind": "APIVersions", "versions": ["v1"]})
        if path == "/apis":
            version = {"groupVersion": "batch/v1", "version": "v1"}
            return self.answer(200, {"kind": "APIGroupList", "apiVersion": "v1", "groups": [{"name": "batch", "versions": [version], "preferredVersion": version}]})
        if path in ("/api/v1", "/apis/batch/v1"):
            kinds = ("jobs",) if "batch" in path else ("pods", "services")
            return self.answer(200, {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "batch/v1" if "batch" in path else "v1",
                                     "resources": [{"name": k, "singularName": KINDS[k][1].lower(), "namespaced": True, "kind": KINDS[k][1], "verbs": VERBS} for k in kinds]})
        if kind not in objects:
            return self.answer(404, failure(404, "NotFound", f"no {path}"))
        if part == "log":
            return self.send_log(name, query)
        with lock:
            if name:
                thing = objects[kind].get(name)
                return self.answer(200, thing) if thing else self.answer(404, failure(404, "NotFound", f'{kind} "{name}" not found'))
            selector = dict(pair.split("=") for pair in query.get("labelSelector", "").split(",") if pair)
            items = [{k: v for k, v in t.items() if k not in ("kind", "apiVersion", "created", "pulled", "started")} for t in objects[kind].values()
                     if all(t["metadata"]["labels"].get(k) == v for k, v in selector.items())]
            return self.answer(200, {"kind": KINDS[kind][1] + "List", "apiVersion": KINDS[kind][0], "metadata": {"resourceVersion": "1"}, "items": items})

    def send_log(self, name, query):
        with lock:
            if name not in logs:
                return self.answer(400, failure(400, "BadRequest", f'container "case" in pod "{name}" is waiting to start'))
            lines, mine = logs[name], cuts
        since = seconds(query["sinceTime"]) if "sinceTime" in query else datetime.datetime.min
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        sent = 0
        while True:
            with lock:
                new = lines[sent:]
                pod = objects["pods"].get(name)
                is_over = mine != cuts or not pod or pod["status"]["phase"] != "Running" or query.get("follow") != "true"
                if not new and not is_over:
                    changed.wait(1)
                    continue
            sent += len(new)
            data = "".join(f"{at} {line}\n" for at, line in new if seconds(at) >= since).encode()
            if data:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()
            if is_over:
                self.wfile.write(b"0\r\n\r\n")
                return None

    def do_POST(self):
        path, query, (kind, _, _) = self.parsed()
        body = self.body()
        if path.startswith("/test/"):
            return self.befall(path[6:], query)
        with lock:
            return self.answer(*create(kind, body)) if kind in objects else self.answer(404, failure(404, "NotFound", path))

    def do_DELETE(self):
        _, query, (kind, name, _) = self.parsed()
        options = self.body()
        grace = options.get("gracePeriodSeconds", query.get("gracePeriodSeconds"))
        with lock:
            return self.answer(*delete(kind, name, None if grace is None else int(grace)))

    def befall(self, what, query):
        global cuts
        with lock:
            for pod in [p for p in objects["pods"].values() if p["metadata"]["annotations"]["gate/case"] == query.get("case")]:
                if what == "evict":
                    set_state(pod, "Failed", {}, reason="Evicted", message="The node was low on resource: memory.")
                    pod["status"].pop("containerStatuses")
                    threading.Thread(target=end, args=(pod, 0), daemon=True).start()
                elif what == "oom":
                    set_state(pod, "Failed", {"terminated": {"exitCode": 137, "reason": "OOMKilled"}})
                    threading.Thread(target=end, args=(pod, 0), daemon=True).start()
                else:
                    threading.Thread(target=remove_pod, args=(pod, 5 if what == "drain" else 0), daemon=True).start()
            if what == "cut":
                cuts += 1
                changed.notify_all()
        self.answer(200, {})
        if what == "down":
            threading.Thread(target=server.go_down, args=(float(query["seconds"]),), daemon=True).start()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    down_for = 0.0

    def __init__(self, port):
        self.connections = set()
        super().__init__(("127.0.0.1", port), Handler)

    def process_request(self, request, client_address):
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        self.connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, *_):
        pass

    def go_down(self, duration):
        self.down_for = duration
        self.shutdown()


server = Server(0)
port = server.server_address[1]
(folder / "kubeconfig").write_text(json.dumps({
    "apiVersion": "v1", "kind": "Config", "current-context": "lab",
    "clusters": [{"name": "lab", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
    "users": [{"name": "gate", "user": {}}],
    "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "gate", "namespace": "lab"}}]}))
(folder / "port.new").write_text(str(port))
(folder / "port.new").rename(folder / "port")
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
threading.Thread(target=schedule, daemon=True).start()
while True:
    server.serve_forever(0.05)
    server.server_close()
    for connection in list(server.connections):
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
    time.sleep(server.down_for)
    server = Server(port)
