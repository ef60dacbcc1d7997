/**
 * `<data>/hosts.json`: the processes that a runtime has forked, so that one that is started after a
 * crash can end what was left behind.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { folderId } from '../../protocol/folder-id.ts';

/** A forked process. */
export interface HostRecord {
  readonly pid: number;
  /** Random text in its command line: by now the pid may belong to a stranger. */
  readonly token: string;
}

/** The stored record of a process. */
interface WrittenRecord extends HostRecord {
  /** In ticks since the machine was started; null where the system does not tell. */
  readonly startedAt: string | null;
}

interface HostsFile {
  /** `folderId` of the data folder: a copy of it lists the processes of a runtime that may be alive. */
  readonly folder: string;
  readonly hosts: readonly WrittenRecord[];
}

export interface HostList {
  /** Ends what an earlier runtime of this folder left running; resolves with the pids it ended. */
  endLeftovers(): Promise<number[]>;
  add(record: HostRecord): void;
  remove(record: HostRecord): void;
}

export function createHostList(path: string): HostList {
  const folder = folderId(dirname(path));
  const left = read(path);
  const living = new Map<number, WrittenRecord>();
  // Written at once: after a crash it would be too late.
  const write = (): void => {
    const content = { folder, hosts: [...living.values()] } satisfies HostsFile;
    try {
      // In a folder that was put in its place, the file belongs to another runtime.
      if (folderId(dirname(path)) !== folder) return;
      writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
    } catch {
      // A process that is not listed ends all the same: the guard watches it.
    }
  };
  return {
    endLeftovers: () => endLeftovers(left.folder === folder ? left.hosts : []),
    add(record) {
      living.set(record.pid, { ...record, startedAt: startOf(record.pid) });
      write();
    },
    remove(record) {
      living.delete(record.pid);
      write();
    },
  };
}

/** The token's form in the command line. */
export function tokenArgument(token: string): string {
  return `--host=${token}`;
}

/** Ends the recorded processes that still exist. */
async function endLeftovers(records: readonly WrittenRecord[]): Promise<number[]> {
  const ended = await Promise.all(
    records.map(async ({ pid, token, startedAt }) => {
      const line = await commandLine(pid);
      const isSame = line.includes(tokenArgument(token)) && startOf(pid) === startedAt;
      return isSame && kill(pid) ? [pid] : [];
    }),
  );
  return ended.flat();
}

/** A file that a crash cut short names no process; they end by themselves all the same. */
function read(path: string): HostsFile {
  const nothing = { folder: '', hosts: [] };
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as Partial<HostsFile> | null;
    if (typeof content?.folder !== 'string' || !Array.isArray(content.hosts)) return nothing;
    return { folder: content.folder, hosts: (content.hosts as unknown[]).filter(isRecord) };
  } catch {
    return nothing;
  }
}

function isRecord(value: unknown): value is WrittenRecord {
  const { pid, token, startedAt } = (value ?? {}) as Partial<WrittenRecord>;
  const isStart = startedAt === null || typeof startedAt === 'string';
  return Number.isInteger(pid) && Number(pid) > 0 && typeof token === 'string' && isStart;
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

/**
 * When a process started, in ticks since the machine was started; null where the system does not say, or it has ended.
 * Field 22 of its line. The second field, the name of the program, may have spaces and brackets.
 */
export function startOf(pid: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** Empty when there is no such process. */
async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const [program, ...args] =
      process.platform === 'win32'
        ? [
            'powershell',
            '-NoProfile',
            '-Command',
            `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`,
          ]
        : ['ps', '-ww', '-o', 'command=', '-p', String(pid)];
    const { stdout } = await promisify(execFile)(program, args);
    return stdout;
  } catch {
    return '';
  }
}
