/** One runtime per data folder. The system itself releases each of these locks when the process ends. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { folderId } from '../../../protocol/folder-id.ts';
import { askAt, type Holder, listenAt, type LockSocket, parseHolder } from './lock-socket.ts';

export interface Lock {
  /** Sets the answer for others who ask for the holder. */
  hold(holder: Holder): void;
  /** Whether the path of the folder still leads to what is locked. */
  inPlace(): boolean;
  release(): Promise<void>;
}

/** Another runtime has the lock. */
export class LockHeld extends Error {
  /** Known facts about the holder: one that hangs has not sent any. */
  readonly holder: Partial<Holder>;

  constructor(holder: Partial<Holder>) {
    super('The lock is held.');
    this.holder = holder;
  }
}

/** How long a runtime may take to say who it is, in ms. One that starts takes a few. */
const answerMs = 3000;

/** When another runtime ends or gives up while it is asked, the lock is tried again. */
const mostAttempts = 50;

/** Errors of folders that cannot have sockets, such as some mounts of other systems. */
const noSockets = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS', 'ENAMETOOLONG']);

/**
 * @param folder real path of the data folder.
 * @throws LockHeld when another runtime has it.
 */
export async function acquireLock(folder: string): Promise<Lock> {
  if (process.platform === 'win32') return await lockByName(folder);
  if (process.platform !== 'linux') return lockByFile(folder);
  try {
    return await lockBySocket(folder);
  } catch (error) {
    if (noSockets.has((error as NodeJS.ErrnoException).code ?? '')) return await lockByName(folder);
    throw error;
  }
}

/** With the pid, for people who look into the folder. */
const socketName = /^lock-(\d+)-[0-9a-f]{16}$/;

/**
 * Linux: a socket in the data folder. It belongs to the folder, not to a path, a user or a network, so
 * none of these gets past it. After a crash, and in a copy of the folder, nothing listens on it.
 *
 * Two runtimes must not both take over what a crash left, so no name is ever used twice: a runtime first
 * listens under a name of its own and then looks at the others. Sockets on which nothing listens are
 * removed. Of two that start at once, the one that looks later sees the other. If the name of a live one
 * sorts before its own, a runtime gives up and waits for what becomes of that one; the one with the
 * first name waits until the others have given up.
 */
async function lockBySocket(folder: string): Promise<Lock> {
  const descriptor = fs.openSync(folder, 'r');
  const base = shortPath(folder, descriptor);
  try {
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const name = `lock-${process.pid}-${randomBytes(8).toString('hex')}`;
      const socket = await listenUnlessRemoved(join(base, name));
      if (socket === undefined) continue;
      let hasLock = false;
      try {
        hasLock = await isFirst(base, name, socket);
      } finally {
        if (!hasLock) await socket.close();
      }
      if (!hasLock) continue;
      const release = async (): Promise<void> => {
        await socket.close();
        fs.closeSync(descriptor);
      };
      return {
        hold: (holder) => socket.hold(() => holder),
        inPlace: placeOf(join(folder, name)),
        release,
      };
    }
    throw new LockHeld({});
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

/**
 * Between its bind and its listen a socket looks like one of a crash, and another runtime that starts
 * may remove it. Later `isFirst` would find out, here the system does: undefined.
 */
async function listenUnlessRemoved(path: string): Promise<LockSocket | undefined> {
  try {
    return await listenAt(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether this runtime has the lock now; it may have closed its socket if not. @throws LockHeld */
async function isFirst(base: string, mine: string, socket: LockSocket): Promise<boolean> {
  const names = fs.readdirSync(base).filter((name) => name !== mine && socketName.test(name));
  const others = await Promise.all(
    names.map(async (name) => ({ name, asked: await askAt(join(base, name), answerMs) })),
  );
  for (const { name, asked } of others) if (asked === undefined) removeSocket(join(base, name));
  const givesUp = others.some(({ name, asked }) => asked !== undefined && name < mine);
  // Before it waits: the other one may wait for just that.
  if (givesUp) await socket.close();
  for (const { name, asked } of others) {
    const answer = await asked?.answer;
    if (answer === 'unknown') throw new LockHeld({ pid: Number(socketName.exec(name)?.[1]) });
    if (typeof answer === 'object') throw new LockHeld(answer);
  }
  // Another start that looked between our bind and our listen has removed our socket.
  return !givesUp && fs.existsSync(join(base, mine));
}

/** A socket's path has 107 bytes at most, that of a folder up to 4095. */
function shortPath(folder: string, descriptor: number): string {
  const short = `/proc/self/fd/${descriptor}`;
  return fs.existsSync(short) ? short : folder;
}

function removeSocket(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch {
    // Another runtime removed it, or this user may not: it does no harm.
  }
}

/**
 * Windows, and Linux where a folder cannot have sockets: a name in the system's own space, made of the
 * folder's device and inode, so that it depends on neither path nor user. On Linux other network
 * namespaces do not see it.
 */
export async function lockByName(folder: string): Promise<Lock> {
  const path = systemName(folderId(folder));
  for (let attempt = 1; ; attempt += 1) {
    try {
      const socket = await listenAt(path);
      // Windows does not open folders, nor does it remove one in which a file is open.
      const descriptor = process.platform === 'win32' ? undefined : fs.openSync(folder, 'r');
      const release = async (): Promise<void> => {
        await socket.close();
        if (descriptor !== undefined) fs.closeSync(descriptor);
      };
      return { hold: (holder) => socket.hold(() => holder), inPlace: placeOf(folder), release };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    }
    const answer = await (await askAt(path, answerMs))?.answer;
    if (typeof answer === 'object') throw new LockHeld(answer);
    if (answer === 'unknown' || attempt === mostAttempts) throw new LockHeld({});
  }
}

/** Name of an abstract socket or a named pipe, the same for everybody on the machine. */
export function systemName(name: string): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\weir-${name}` : `\0weir-${name}`;
}

/** BSD and macOS: `open` takes a `flock` itself, and gives up instead of waiting. */
const O_EXLOCK = 0x20;

/** BSD and macOS: a file whose lock ends with the process. Its text names the holder. */
function lockByFile(folder: string): Lock {
  const path = join(folder, 'lock');
  const { O_CREAT, O_RDWR, O_NONBLOCK } = fs.constants;
  let descriptor: number;
  try {
    descriptor = fs.openSync(path, O_CREAT | O_RDWR | O_NONBLOCK | O_EXLOCK, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EAGAIN' && code !== 'EWOULDBLOCK') throw error;
    throw new LockHeld(parseHolder(fs.readFileSync(path, 'utf8')) ?? {});
  }
  allowEverybody(descriptor);
  return {
    hold(holder) {
      fs.ftruncateSync(descriptor);
      fs.writeSync(descriptor, JSON.stringify(holder), 0);
    },
    inPlace: placeOf(path),
    release: async () => fs.closeSync(descriptor),
  };
}

/** A lock file that another user's crash left must not keep this user out. */
function allowEverybody(descriptor: number): void {
  try {
    fs.fchmodSync(descriptor, 0o666);
  } catch {
    // It belongs to another user, who has allowed it.
  }
}

/**
 * Tells whether a path still leads to what it leads to now, which the caller keeps open: the number of
 * a file that is gone for good may be given to another.
 */
function placeOf(path: string): () => boolean {
  const { dev, ino } = fs.statSync(path);
  return () => {
    try {
      const now = fs.statSync(path, { throwIfNoEntry: false });
      return now !== undefined && now.dev === dev && now.ino === ino;
    } catch {
      // The disk does not say: what it refuses is the store's to tell.
      return true;
    }
  };
}
