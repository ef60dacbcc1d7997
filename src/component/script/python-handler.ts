/**
 * The program in the child: it reads the step from fd 4, runs its code under the name of its file, calls `handler(pd)`,
 * and exchanges messages over fd 3 (to the step's process) and fd 4 (from it), one line of JSON each.
 */
export const handlerSource = `
import collections.abc, dataclasses, inspect, json, math, os, re, sys, threading, traceback, types

_largest = 2**53 - 1
_many_digits = re.compile("(?<![.0-9])[0-9]{16,}(?![.0-9eE])")

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
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", "replace")
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    # Arrays and numbers of numpy; tables of pandas.
    for convert in ("tolist", "to_dict"):
        if callable(getattr(value, convert, None)):
            return getattr(value, convert)()
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    if isinstance(value, collections.abc.Iterable) and not isinstance(value, (str, type)):
        return list(value)
    return str(value)

def _plain(value, above=()):
    """As json.dumps would, with what JSON has no number for as null, and every key as text."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        return _whole(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if id(value) in above:
        raise ValueError("A value that contains itself cannot be handed on")
    inside = (*above, id(value))
    if isinstance(value, dict):
        return {_key(key): _plain(one, inside) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one, inside) for one in value]
    return _plain(_default(value), inside)

_told_large = False

def _whole(value):
    """What is read as a double elsewhere would be another number there: it is handed on as text."""
    global _told_large
    if -_largest <= value <= _largest:
        return value
    if not _told_large:
        _told_large = True
        print("Whole numbers beyond 2**53 are handed on as text, such as " + str(int(value)) + ": convert them with int().", file=sys.stderr)
    return str(int(value))

def _key(key):
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, (bool, int, float)):
        return json.dumps(key)
    return str(key)

def _json(message):
    try:
        text = json.dumps(message, default=_default, allow_nan=False)
    except (ValueError, TypeError):
        return json.dumps(_plain(message))
    # Digits of a text are looked at as well: it is quicker than to look at each value.
    return json.dumps(_plain(message)) if _many_digits.search(text) else text

def _send(message):
    text = _json(message)
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
    given = list(given)
    while given and given[-1] is None:
        # As a call in JavaScript without it.
        given.pop()
    _send({"id": number, "do": do, "name": name, "given": given})
    with _arrived:
        while number not in _replies:
            _arrived.wait()
        reply = _replies.pop(number)
    if "error" in reply:
        raise RuntimeError(reply["error"])
    return reply["value"]

class _Missing(KeyError, TypeError):
    """A key that is not there: the platform raises the second, a dict the first."""

_Missing.__name__ = _Missing.__qualname__ = "KeyError"
_Missing.__module__ = "builtins"

class DataStore:
    """A data store as a dict: [] raises for a key that is missing, get() does not."""
    def __init__(self, name):
        self._name = name
    def __getitem__(self, key):
        found = _ask("store", self._name, "get", key)
        if found is None:
            raise _Missing(key)
        return found["value"]
    def get(self, key, default=None):
        found = _ask("store", self._name, "get", key)
        return default if found is None else found["value"]
    def __setitem__(self, key, value):
        _ask("store", self._name, "set", key, value)
    def set(self, key, value, ttl=None):
        _ask("store", self._name, "set", key, value, ttl)
    def set_ttl(self, key, ttl=None):
        _ask("store", self._name, "setTtl", key, ttl)
    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]
    def update(self, *others, **more):
        for key, value in dict(*others, **more).items():
            self[key] = value
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
            raise _Missing(key)
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
        given = {"subject": subject, "text": text, "html": html, **more}
        return _ask("send", "email", {name: one for name, one in given.items() if one is not None})
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

def _legacy():
    """What steps of 2022 import: the names of then."""
    helpers = types.ModuleType("pipedream.script_helpers")
    helpers.steps = pd.steps
    helpers.export = pd.export
    package = sys.modules.setdefault("pipedream", types.ModuleType("pipedream"))
    package.script_helpers = helpers
    sys.modules["pipedream.script_helpers"] = helpers

if "pipedream.script_helpers" in _start["code"]:
    _legacy()
sys.path[0:1] = [os.path.dirname(_file)]
_modules = _start["modules"]

def _deployed():
    """What lies beside the file is imported as it was when it was deployed."""
    import importlib.machinery, linecache
    class Deployed:
        def find_spec(self, name, path=None, target=None):
            one = _modules.get(name)
            if one is None:
                return None
            spec = importlib.machinery.ModuleSpec(name, self, origin=one["file"], is_package=one["package"])
            spec.has_location = True
            if one["package"]:
                spec.submodule_search_locations = [os.path.dirname(one["file"])]
            return spec
        def create_module(self, spec):
            return None
        def exec_module(self, module):
            one = _modules[module.__name__]
            file, code = one["file"], one["code"]
            linecache.cache[file] = (len(code), None, code.splitlines(True), file)
            exec(compile(code, file, "exec"), module.__dict__)
    sys.meta_path.insert(sys.meta_path.index(importlib.machinery.PathFinder), Deployed())

if _modules:
    _deployed()
sys.argv = [_file]
# Registered, as dataclasses and pickle look their module up.
_module = types.ModuleType("__pipedream__")
sys.modules["__pipedream__"] = _module
_scope = _module.__dict__
_scope.update(__file__=_file, pd=pd)
_before = set(threading.enumerate())

def _theirs(told):
    """Frames of this wrapper tell nobody anything."""
    if told is None:
        return
    told.stack = traceback.StackSummary.from_list([one for one in told.stack if not one.filename.startswith(("<string>", "<frozen importlib"))])
    for one in (told.__cause__, told.__context__, *(getattr(told, "exceptions", None) or ())):
        _theirs(one)

def _failed(error):
    told = traceback.TracebackException.from_exception(error)
    _theirs(told)
    trace = "".join(told.format())
    _end(error={"name": type(error).__name__, "message": str(error), "trace": trace.rstrip()})

try:
    # For the lines of a traceback, as they were deployed.
    import linecache
    linecache.cache[_file] = (len(_start["code"]), None, _start["code"].splitlines(True), _file)
    exec(compile(_start["code"], _file, "exec"), _scope)
    _handler = _scope.get("handler")
    _returned = _handler(pd) if callable(_handler) else None
    if inspect.isawaitable(_returned) or inspect.isasyncgen(_returned):
        import asyncio
        async def _awaited(given):
            return [one async for one in given] if inspect.isasyncgen(given) else await given
        _returned = asyncio.run(_awaited(_returned))
    _end(returned=_returned)
except SystemExit as error:
    if error.code in (None, 0):
        _end(returned=None)
    else:
        _end(error={"name": "SystemExit", "message": "The step ended its process with " + str(error.code) + ".", "trace": "SystemExit: " + str(error.code)})
except BaseException as error:
    _failed(error)

_running = [one for one in threading.enumerate() if one not in _before and not one.daemon]
if _running:
    print("Threads were still running when the handler returned, and were ended: " + ", ".join(one.name for one in _running), file=sys.stderr)
else:
    import atexit
    atexit._run_exitfuncs()
for _stream in (sys.stdout, sys.stderr):
    try:
        _stream.flush()
    except Exception:
        pass
os._exit(0)
`;
