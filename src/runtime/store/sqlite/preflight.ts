import { WeirError } from '../../../protocol/errors.ts';
import { notADatabase } from './failure.ts';
import { HEADER_BYTES, type Header, parseHeader } from './header.ts';
import { applicationId, latestVersion } from './migrations.ts';
import { liveSuffixes } from './wasm/guard.ts';
import { type FileIo, readFully } from './wasm/io.ts';

/** Format version of a live store (guard.ts). */
const LIVE = 3;

/** The files on disk before anything is opened; null for a missing file. */
export interface Found {
  readonly bytes: number | null;
  readonly header: Header | undefined;
  /** Bytes of our WAL. */
  readonly liveWal: number | null;
  /** Names of logs other SQLite programs left beside the store. */
  readonly foreignLogs: readonly string[];
}

/**
 * - `absent`: nothing there, make a new store.
 * - `clean`: an ordinary file, closed properly or put there.
 * - `live`: the last runtime was cut off; SQLite recovers from the WAL.
 */
export type StoreState = 'absent' | 'clean' | 'live';

export function look(io: FileIo, file: string): Found {
  const bytes = sizeOf(io, file);
  const logs = ['-wal', '-journal'].map((suffix) => file + suffix);
  return {
    bytes,
    header: bytes === null ? undefined : parseHeader(firstBytes(io, file)),
    liveWal: sizeOf(io, file + liveSuffixes['-wal']),
    foreignLogs: logs.filter((log) => (sizeOf(io, log) ?? 0) > 0),
  };
}

/** Decides whether the file may be opened. Nothing has been touched when it throws. */
export function judge(file: string, found: Found): StoreState {
  const { header } = found;
  const wal = file + liveSuffixes['-wal'];
  const hasWal = (found.liveWal ?? 0) > 0;
  const [foreignLog] = found.foreignLogs;
  if (foreignLog !== undefined) {
    throw refuse(
      `Another program left ${foreignLog} beside the store: open ${file} with that program once, close it, and try again.`,
    );
  }
  if (found.bytes === null) {
    if (!hasWal) return 'absent';
    throw refuse(
      `The store ${file} is missing but its log ${wal} is there: put the store back, or move the log away to start with an empty store.`,
    );
  }
  if (found.bytes === 0) {
    throw refuse(
      `The store ${file} is empty (0 bytes): put a copy in its place, or remove it to start with an empty store.`,
    );
  }
  if (header === undefined) throw refuse(notADatabase(file));
  if (header.version === LIVE) return 'live';
  if (hasWal) {
    throw refuse(
      `The log ${wal} belongs to another state of the store than ${file}: move the log away to go on with this file.`,
    );
  }
  if (header.applicationId !== applicationId) {
    throw refuse(
      `${file} is a SQLite database that Weir did not make: choose another data folder.`,
    );
  }
  checkVersion(file, header.userVersion);
  checkSize(file, found.bytes, (header.pages ?? 0) * header.pageSize);
  return 'clean';
}

/** @throws WeirError when the store was written by a newer Weir. */
export function checkVersion(file: string, userVersion: number): void {
  if (userVersion <= latestVersion) return;
  throw refuse(
    `The store ${file} was written by a newer version of Weir (schema ${userVersion}, this one knows ${latestVersion}): update Weir.`,
  );
}

/** @throws WeirError when the file is shorter than its own page count says. */
export function checkSize(file: string, bytes: number, expected: number): void {
  if (bytes >= expected) return;
  throw refuse(
    `The store ${file} is cut short (${bytes} of ${expected} bytes): put a copy in its place, or save what can be read with "weir doctor --salvage FILE"; the file was left as it is.`,
  );
}

function refuse(message: string): WeirError {
  return new WeirError('store_failed', message);
}

function sizeOf(io: FileIo, file: string): number | null {
  const stat = io.statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? null : stat.size;
}

function firstBytes(io: FileIo, file: string): Buffer {
  const fd = io.openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(HEADER_BYTES);
    return bytes.subarray(0, readFully(io, fd, bytes, 0));
  } finally {
    io.closeSync(fd);
  }
}
