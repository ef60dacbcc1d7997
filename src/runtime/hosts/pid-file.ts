/**
 * `<data>/hosts.json`: the processes a runtime has forked, so that one that is started after a crash
 * can end what was left behind (architecture.md, "No orphans").
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { endLeftovers, type HostRecord } from './leftovers.ts';

export interface PidFile {
  /** Ends what an earlier runtime left running; resolves with the pids it ended. */
  endLeftovers(): Promise<number[]>;
  add(record: HostRecord): void;
  remove(record: HostRecord): void;
}

export function createPidFile(path: string): PidFile {
  const left = read(path);
  const living = new Map<number, HostRecord>();
  // Written at once: a record that comes after the crash it is for is of no use.
  const write = () => writeFileSync(path, JSON.stringify([...living.values()]), { mode: 0o600 });
  return {
    endLeftovers: () => endLeftovers(left),
    add(record) {
      living.set(record.pid, record);
      write();
    },
    remove(record) {
      living.delete(record.pid);
      write();
    },
  };
}

/** A file that a crash cut short names no process; their watchdogs end them all the same. */
function read(path: string): HostRecord[] {
  try {
    const records: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(records) ? records.filter(isRecord) : [];
  } catch {
    return [];
  }
}

function isRecord(value: unknown): value is HostRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isInteger(value.pid) &&
    'mark' in value &&
    typeof value.mark === 'string'
  );
}
