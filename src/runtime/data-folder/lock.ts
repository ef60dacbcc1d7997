import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Lets go of the lock. */
export type Release = () => Promise<void>;

/**
 * One runtime per data folder, by a lock the system takes back when the process ends, however it
 * ends: a crash leaves nothing behind and no age of a file has to be guessed.
 * @param folder real path of the data folder.
 * @returns undefined when another process holds the lock.
 */
export function acquireLock(folder: string): Promise<Release | undefined> {
  const name = lockName(folder, userInfo().username);
  // An abstract socket: it has no file. Containers with a network of their own do not see it.
  if (process.platform === 'linux') return holdSocket(`\0${name}`);
  if (process.platform === 'win32') return holdSocket(`\\\\.\\pipe\\${name}`);
  return Promise.resolve(holdFile(join(tmpdir(), `${name}.lock`)));
}

/** Same folder and user, same name; short enough for a socket (108 bytes on Linux). */
export function lockName(folder: string, user: string): string {
  const hash = createHash('sha256').update(`${user}\0${folder}`).digest('hex').slice(0, 32);
  return `weir-${hash}`;
}

function holdSocket(path: string): Promise<Release | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen({ path }, () => {
      server.unref();
      resolve(() => new Promise((released) => server.close(() => released())));
    });
  });
}

/** BSD and macOS: `open` itself takes a `flock`, and gives up instead of waiting. */
const O_EXLOCK = 0x20;

function holdFile(path: string): Release | undefined {
  const { O_CREAT, O_RDWR, O_NONBLOCK } = fs.constants;
  try {
    const fd = fs.openSync(path, O_CREAT | O_RDWR | O_NONBLOCK | O_EXLOCK, 0o600);
    return async () => fs.closeSync(fd);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK') return undefined;
    throw error;
  }
}
