/**
 * The socket behind a lock. The system closes it when its process ends, so a listening socket means a living holder;
 * once it holds the lock, it identifies itself.
 */
import { connect, createServer, type Socket } from 'node:net';

/** The holder of a lock, as it describes itself. */
export interface Holder {
  /** In the holder's own container, if it is in one. */
  readonly pid: number;
  readonly user: string;
  /** ISO 8601. */
  readonly since: string;
  /** Address where it serves, once it does. */
  readonly url?: string;
}

export interface LockSocket {
  /** Sets the answer for everybody who asks from now on; waiting callers get it now. */
  hold(answer: () => Holder | undefined): void;
  /** Waiting callers get no answer. Resolves when the socket is gone; may be called again. */
  close(): Promise<void>;
}

/**
 * Listens at a path, or at a name of the system (an abstract socket, a named pipe). Every user of the
 * machine may ask. Does not keep the process alive.
 * @throws the system's error: `EADDRINUSE` when something is there, alive or not.
 */
export function listenAt(path: string): Promise<LockSocket> {
  const asking = new Set<Socket>();
  let answer: (() => Holder | undefined) | undefined;
  const tell = (socket: Socket): void => {
    const holder = answer?.();
    socket.end(holder === undefined ? '' : `${JSON.stringify(holder)}\n`);
  };
  let closing: Promise<void> | undefined;
  const server = createServer((socket) => {
    asking.add(socket.unref());
    // A caller that disconnected needs no answer.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => asking.delete(socket));
    if (answer !== undefined) tell(socket);
  });
  const close = (): Promise<void> =>
    new Promise((closed) => {
      server.close(() => closed());
      for (const socket of asking) socket.destroy();
    });
  // Abstract sockets have no rights; Node refuses to set any.
  const everybody = !path.startsWith('\0');
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, readableAll: everybody, writableAll: everybody }, () => {
      server.off('error', reject).unref();
      resolve({
        hold(said) {
          answer = said;
          for (const socket of asking) if (socket.writable) tell(socket);
        },
        close: () => (closing ??= close()),
      });
    });
  });
}

/**
 * - `free`: it has given up, its process ended, or it has nothing to answer.
 * - `unknown`: it is alive but does not answer: it hangs, or this user may not ask it.
 */
export type Answer = Holder | 'free' | 'unknown';

/** Somebody listened when we connected, and ended. */
const ended = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Asks the process that listens at a path. What is not certainly dead counts as alive: a start that is
 * refused wrongly can be repeated, two holders destroy the store.
 * @param answerMs how long it may take to answer
 * @returns undefined when nobody listens; else, at once, that somebody does, and later the answer.
 */
export function askAt(
  path: string,
  answerMs: number,
): Promise<{ readonly answer: Promise<Answer> } | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path).setEncoding('utf8');
    let text = '';
    let connected = false;
    let settle: (answer: Answer) => void = () => undefined;
    const answer = new Promise<Answer>((answered) => {
      settle = answered;
    });
    const timer = setTimeout(() => {
      settle('unknown');
      resolve({ answer });
      socket.destroy();
    }, answerMs);
    socket.on('connect', () => {
      connected = true;
      resolve({ answer });
    });
    socket.on('data', (more: string) => {
      text += more;
    });
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      const nobody = code === 'ECONNREFUSED' || code === 'ENOENT';
      // It is alive, but this user may not ask it (EACCES), or too many are asking (EAGAIN).
      if (!connected && !nobody && !ended.has(code)) settle('unknown');
      resolve(nobody ? undefined : { answer });
    });
    socket.on('close', () => {
      clearTimeout(timer);
      settle(text === '' ? 'free' : (parseHolder(text) ?? 'unknown'));
    });
  });
}

/** Parses the holder that was passed to `hold`. */
export function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, user, since, url } = JSON.parse(text) as Partial<Holder>;
    if (pid === undefined || user === undefined || since === undefined) return undefined;
    return { pid, user, since, ...(url !== undefined && { url }) };
  } catch {
    return undefined;
  }
}
