import { createHash } from 'node:crypto';
import { access, constants, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { RuntimeFile } from '../../../protocol/rpc.ts';
import { askAt, type Holder, listenAt, type LockSocket } from './lock-socket.ts';
import { acquireLock, type Lock, LockHeld, systemName } from './lock.ts';

/** The data folder of this runtime, held until `release`. */
export interface DataFolder {
  /** Absolute, links resolved. */
  readonly path: string;
  /**
   * A runtime that still runs although its folder, which was at this path, was deleted or moved away.
   * Undefined when none is known; never known on macOS.
   */
  readonly leftBehind: Holder | undefined;
  /** Tells clients where the runtime is: `runtime.json`, when it is ready and not before. */
  announce(content: RuntimeFile): Promise<void>;
  /** False once the path leads to another folder, or to none. */
  inPlace(): boolean;
  /** Takes `runtime.json` away and lets the next runtime in. */
  release(): Promise<void>;
}

/**
 * Makes the folder if need be (0700, ignored by git) and locks it.
 * @throws WeirError('data_folder_in_use') when another runtime has it,
 * WeirError('bad_input') when it cannot be made or written.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const folder = await makeFolder(resolve(path));
  const lock = await lockFolder(folder);
  let holder: Holder = { pid: process.pid, user: userName(), since: new Date().toISOString() };
  lock.hold(holder);
  const { socket, leftBehind } = await claimPath(folder);
  socket?.hold(() => (lock.inPlace() ? undefined : holder));
  const runtimeFile = join(folder, 'runtime.json');
  // A file left by a crash would send clients to a runtime that is gone.
  await rm(runtimeFile, { force: true });
  return {
    path: folder,
    leftBehind,
    async announce(content) {
      holder = { ...holder, url: content.url };
      lock.hold(holder);
      await writeRuntimeFile(runtimeFile, content);
    },
    inPlace: () => lock.inPlace(),
    async release() {
      // In a folder that was put in its place, the file belongs to another runtime.
      if (lock.inPlace()) await rm(runtimeFile, { force: true });
      await socket?.close();
      await lock.release();
    },
  };
}

async function makeFolder(path: string): Promise<string> {
  try {
    await makeFolders(path);
    if (!(await stat(path)).isDirectory()) throw isFile(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const folder = await realpath(path);
    await ignoreByGit(folder);
    return folder;
  } catch (error) {
    throw WeirError.is(error) ? error : unusable(path, error);
  }
}

function isFile(path: string): WeirError {
  return new WeirError(
    'bad_input',
    `The data folder ${path} is a file: name a folder with --data.`,
  );
}

/** Not `mkdir` with `recursive`: if the system always answers ENOENT, as below /proc, that never ends. */
async function makeFolders(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;
  try {
    await make();
  } catch (error) {
    if (isCode(error, 'EEXIST')) return;
    if (!isCode(error, 'ENOENT') || dirname(path) === path) throw error;
    await makeFolders(dirname(path));
    await make().catch((again: unknown) => {
      if (!isCode(again, 'EEXIST')) throw again;
    });
  }
}

function unusable(path: string, error: unknown): WeirError {
  return new WeirError(
    'bad_input',
    `The data folder ${path} cannot be used (${messageOf(error)}): change its rights or choose another one.`,
    undefined,
    error,
  );
}

/** Once: a person who changed the file meant it. */
async function ignoreByGit(folder: string): Promise<void> {
  try {
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function lockFolder(folder: string): Promise<Lock> {
  try {
    return await acquireLock(folder);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw unusable(folder, error);
    throw new WeirError(
      'data_folder_in_use',
      `The data folder ${folder} is in use by ${nameOf(error.holder)}: connect to it, stop it, or choose another folder with --data.`,
    );
  }
}

/** A holder as part of a sentence. */
export function nameOf({ pid, user, since, url }: Partial<Holder>): string {
  if (since === undefined) {
    return pid === undefined
      ? 'a runtime that does not say who it is'
      : `a runtime that does not answer (pid ${pid})`;
  }
  const where = url === undefined ? '' : ` at ${url}`;
  return `the runtime with pid ${pid} (user ${user}, since ${since})${where}`;
}

/**
 * Claims the path, beside the lock on the folder, and so finds a runtime whose folder was at this path
 * until it was deleted or moved away. That is only reported: where it cannot be known nothing breaks.
 */
async function claimPath(
  folder: string,
): Promise<{ readonly socket?: LockSocket; readonly leftBehind: Holder | undefined }> {
  const nobody = { leftBehind: undefined };
  if (process.platform !== 'linux' && process.platform !== 'win32') return nobody;
  // Containers that share a network may have different folders at one path.
  const { dev } = await stat(folder, { bigint: true });
  const hash = createHash('sha256').update(`${dev}\0${folder}`).digest('hex');
  const name = systemName(`path-${hash.slice(0, 32)}`);
  try {
    return { ...nobody, socket: await listenAt(name) };
  } catch {
    const answer = await (await askAt(name, pathAnswerMs))?.answer;
    return { leftBehind: typeof answer === 'object' ? answer : undefined };
  }
}

/** In ms: a runtime that hangs must not hold up the start for a remark. */
const pathAnswerMs = 500;

/** For its owner only; by rename, so that nobody reads half of it. */
async function writeRuntimeFile(path: string, content: RuntimeFile): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(content), { mode: 0o600 });
  await rename(unfinished, path);
}

/** Name of the user who owns this process. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers run as users that have no name.
    return String(process.getuid?.() ?? 'unknown');
  }
}
