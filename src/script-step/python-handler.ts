/**
 * What runs in the child: reads the step from fd 4, runs its code under the name of its file, calls `handler(pd)`,
 * and talks over fd 3 (to the step's process) and fd 4 (from it), one line of JSON a message.
 */
export const handlerSource = `
import json, os, sys, threading, traceback

_out = os.fdopen(3, "w", encoding="utf-8", buffering=1)
_in = os.fdopen(4, "r", encoding="utf-8")
_start = json.loads(_in.readline())
_lock = threading.Lock()
_replies = {}
_arrived = threading.Condition()
_next = 0

def _listen():
    # The pipe closes when the step's process ends, however it does: then nothing must go on here.
    for line in _in:
        reply = json.loads(line)
        with _arrived:
            _replies[reply["id"]] = reply
            _arrived.notify_all()
    os._exit(1)

threading.Thread(target=_listen, daemon=True).start()

def _default(value):
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "replace")
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return str(value)

def _send(message):
    text = json.dumps(message, default=_default)
    with _lock:
        _out.write(text + "\\n")
        _out.flush()

def _tell(do, name="", *given):
    _send({"do": do, "name": name, "given": list(given)})

def _ask(do, name="", *given):
    global _next
    with _lock:
        _next += 1
        number = _next
    _send({"id": number, "do": do, "name": name, "given": list(given)})
    with _arrived:
        while number not in _replies:
            _arrived.wait()
        reply = _replies.pop(number)
    if "error" in reply:
        raise RuntimeError(reply["error"])
    return reply["value"]

class DataStore:
    """A data store as a dict: [] raises for a key that is missing, get() does not."""
    def __init__(self, name):
        self._name = name
    def __getitem__(self, key):
        found = _ask("store", self._name, "get", key)
        if found is None:
            raise KeyError(key)
        return found["value"]
    def get(self, key, default=None):
        found = _ask("store", self._name, "get", key)
        return default if found is None else found["value"]
    def __setitem__(self, key, value):
        _ask("store", self._name, "set", key, value)
    def __delitem__(self, key):
        self[key]
        _ask("store", self._name, "delete", key)
    def __contains__(self, key):
        return _ask("store", self._name, "get", key) is not None
    def keys(self):
        return _ask("store", self._name, "keys")
    def __iter__(self):
        return iter(self.keys())
    def __len__(self):
        return len(self.keys())
    def items(self):
        return [tuple(one) for one in _ask("store", self._name, "entries")]
    def values(self):
        return [value for _, value in self.items()]
    def clear(self):
        _ask("store", self._name, "clear")
    def pop(self, key, *default):
        if key not in self:
            if default:
                return default[0]
            raise KeyError(key)
        value = self[key]
        _ask("store", self._name, "delete", key)
        return value

class Flow:
    def exit(self, reason=None):
        return _ask("flow", "exit", reason)
    def delay(self, ms, context=None):
        return _ask("flow", "delay", ms, context)
    def suspend(self, timeout_ms=86400000, context=None):
        return _ask("flow", "suspend", timeout_ms, context)
    def rerun(self, ms=10000, context=None, max_retries=10):
        return _ask("flow", "rerun", ms, context, max_retries)
    def refresh_timeout(self):
        return _ask("flow", "refreshTimeout")
    def trigger(self, workflow, payload=None):
        return _ask("flow", "trigger", workflow, payload)

class Send:
    def http(self, config=None, **more):
        return _ask("send", "http", {**(config or {}), **more})
    def email(self, subject=None, text=None, html=None, **more):
        if isinstance(subject, dict):
            return _ask("send", "email", subject)
        return _ask("send", "email", {"subject": subject, "text": text, "html": html, **more})
    def emit(self, event=None, **more):
        given = event if isinstance(event, dict) and "raw_event" in event else {"raw_event": event}
        return _ask("send", "emit", {**given, **more})
    def s3(self, config=None, **more):
        return _ask("send", "s3", {**(config or {}), **more})
    def sse(self, config=None, **more):
        return _ask("send", "sse", {**(config or {}), **more})

def _input(value):
    if isinstance(value, dict) and set(value) == {"__data_store"}:
        return DataStore(value["__data_store"])
    return value

class Pipedream:
    def __init__(self):
        self.steps = _start["steps"]
        self.inputs = {name: _input(value) for name, value in _start["inputs"].items()}
        self.context = _start["context"]
        self.flow = Flow()
        self.send = Send()
    def export(self, name, value):
        _tell("export", name, value)
    def respond(self, response=None, **more):
        return _ask("respond", "", {**(response or {}), **more})

def _end(**end):
    _send({"do": "end", "given": [end]})

pd = Pipedream()
_file = _start["file"]
sys.path.insert(0, os.path.dirname(_file))
sys.argv = [_file]
_scope = {"__name__": "__pipedream__", "__file__": _file, "pd": pd}
try:
    exec(compile(_start["code"], _file, "exec"), _scope)
    _handler = _scope.get("handler")
    _end(returned=_handler(pd) if callable(_handler) else None)
except SystemExit as error:
    if error.code in (None, 0):
        _end(returned=None)
    else:
        _end(error={"name": "SystemExit", "message": "The step ended its process with " + str(error.code) + ".", "trace": "SystemExit: " + str(error.code)})
except BaseException as error:
    # Frames of this wrapper tell nobody anything.
    _where = error.__traceback__
    while _where is not None and _where.tb_frame.f_code.co_filename == "<string>":
        _where = _where.tb_next
    _trace = "".join(traceback.format_exception(type(error), error, _where))
    _end(error={"name": type(error).__name__, "message": str(error), "trace": _trace.rstrip()})
sys.stdout.flush()
sys.stderr.flush()
`;
