import { heldBackAdvice } from '../../protocol/run-mode.ts';

/** The variable that redirects are handed down in, as JSON; set where the process of the step gets them. */
const redirectsVariable = 'WEIR_REDIRECTS';

/** The variable of a dry run: where HTTP requests go, and nothing else may. */
export const dryRunVariable = 'WEIR_DRY_RUN';

/**
 * The first code in the child: it sends connections to redirected hosts where a step in JavaScript would send them. It
 * changes the look-up of the host and the start of TLS, which all clients use, so the script and its packages stay
 * unchanged.
 */
export const redirectsSource = `
def _redirect(given):
    import http.client, socket, ssl, urllib.parse
    table = {name.lower(): urllib.parse.urlsplit(url) for name, url in given.items()}
    suffixes = sorted((name[1:] for name in table if name.startswith("*")), key=len, reverse=True)
    # By the address that was connected to: what it stands for.
    addresses = {}

    def find(host, port):
        if isinstance(host, (bytes, bytearray)):
            host = bytes(host).decode("ascii", "replace")
        if not isinstance(host, str):
            return None
        name = host.lower().rstrip(".")
        for key in (name + ":" + str(port), name):
            if key in table:
                return table[key]
        return next((table["*" + one] for one in suffixes if name.endswith(one)), None)

    lookup = socket.getaddrinfo
    def getaddrinfo(host, port, *args, **more):
        target = find(host, port)
        if target is None:
            return lookup(host, port, *args, **more)
        found = lookup(target.hostname, target.port or (443 if target.scheme == "https" else 80), *args, **more)
        for one in found:
            addresses[one[4][:2]] = target
        return found
    socket.getaddrinfo = getaddrinfo

    class Plain(socket.socket):
        """A socket without TLS for a client that asked for it."""
        def getpeercert(self, binary_form=False):
            return b"" if binary_form else {}
        def selected_alpn_protocol(self):
            return None
        def version(self):
            return None
        def cipher(self):
            return None
        def pending(self):
            return 0
        def unwrap(self):
            return self

    wrap = ssl.SSLContext.wrap_socket
    def wrap_socket(self, sock, server_side=False, do_handshake_on_connect=True, suppress_ragged_eofs=True, server_hostname=None, session=None):
        try:
            target = None if server_side else addresses.get(sock.getpeername()[:2])
        except OSError:
            target = None
        if target is not None and target.scheme == "http":
            timeout = sock.gettimeout()
            plain = Plain(sock.family, sock.type, sock.proto, fileno=sock.detach())
            plain.settimeout(timeout)
            return plain
        if target is not None and target.scheme == "https":
            server_hostname = target.hostname
        return wrap(self, sock, server_side=server_side, do_handshake_on_connect=do_handshake_on_connect,
            suppress_ragged_eofs=suppress_ragged_eofs, server_hostname=server_hostname, session=session)
    ssl.SSLContext.wrap_socket = wrap_socket

    put = http.client.HTTPConnection.putrequest
    def putrequest(self, method, url, *args, **more):
        target = find(self.host, self.port)
        if target is not None and target.scheme in ("http", "https") and url.startswith("/"):
            url = target.path.rstrip("/") + url
        return put(self, method, url, *args, **more)
    http.client.HTTPConnection.putrequest = putrequest

def _hold_back(url):
    """Python tells audit hooks before it connects or starts something; what a hook raises keeps it from that."""
    import sys, urllib.parse
    own = urllib.parse.urlsplit(url)
    programs = ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile", "os.system", "subprocess.Popen")

    def refuse(what):
        # Of the handler: what is refused is shown, also when the script goes on without it.
        _tell("held_back", what)
        raise PermissionError(what + " was held back by the dry run. ${heldBackAdvice}")

    def audit(event, args):
        if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
            address = args[1]
            if not isinstance(address, tuple):
                if isinstance(address, (str, bytes)):
                    refuse("A connection to " + str(address))
            elif address[:2] != (own.hostname, own.port):
                refuse("A connection to " + str(address[0]) + ":" + str(address[1]))
        elif event in programs:
            refuse("The program " + str(args[0] if args else event))

    sys.addaudithook(audit)

def _install_redirects():
    import json, os
    given = os.environ.pop("${redirectsVariable}", None)
    dry = os.environ.pop("${dryRunVariable}", None)
    if dry:
        _redirect({"*": dry})
        _hold_back(dry)
    elif given:
        _redirect(json.loads(given))

_install_redirects()
`;
