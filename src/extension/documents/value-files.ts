import * as vscode from 'vscode';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { titleAt } from '../connection/runtime-identity.ts';
import {
  deleteValue,
  type Holder,
  readValue,
  writeValue,
  type KeptValue,
} from '../model/kept-values.ts';

export const valueScheme = 'weir-value';

/** A value, and what it is shown with. */
export interface ValueAddress {
  readonly folder: Folder;
  readonly holder: Holder;
  /** Name of the holder. */
  readonly name: string;
  readonly kept: Pick<KeptValue, 'key'>;
}

/** Known facts about a file while its document is open. */
interface Known {
  /** The text that the editor has read, and that its changes are made to; undefined before that. */
  base: string | undefined;
  /** The text that the document got last. */
  seen: string;
  /** Epoch ms: when `seen` was noticed. It only grows. */
  mtime: number;
}

/**
 * The values of a db or a data store as JSON files, so that a save writes them, and undo, compare, find
 * and the mark of what is not saved work as everywhere.
 *
 * VS Code finds that a file has changed below its editor by time and size, so it misses another value of
 * the same length; that case is told here. What changes in the very moment of the save is found by
 * the runtime.
 */
export class ValueFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #folders: Folders;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #known = new Map<string, Known>();
  readonly #disposables: vscode.Disposable;
  readonly onDidChangeFile = this.#changed.event;

  constructor(folders: Folders, clock: Clock) {
    this.#folders = folders;
    this.#clock = clock;
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.registerFileSystemProvider(valueScheme, this, { isCaseSensitive: true }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#known.delete(uri.toString())),
      folders.onDidChange(({ folder, touched }) => {
        this.#tell(folder, touched.emitters, touched.dataStores);
      }),
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const address = addressOf(uri);
    if (address === undefined) {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const { seen, mtime } = await this.#look(uri, address);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(seen) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const address = addressOf(uri);
    if (address === undefined) throw vscode.FileSystemError.FileIsADirectory(uri);
    const known = await this.#look(uri, address);
    known.base = known.seen;
    return Buffer.from(known.seen);
  }

  /** VS Code has just called `stat`: the value must still be the one of that time. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const address = addressOf(uri);
    if (address === undefined) throw vscode.FileSystemError.FileIsADirectory(uri);
    const { key, holder } = address;
    const value = parse(Buffer.from(content).toString('utf8'), key);
    const known = this.#known.get(uri.toString());
    if (known?.base !== undefined && isMissed(known.base, known.seen)) {
      known.base = known.seen;
      throw changedMeanwhile(key, known.seen);
    }
    const expected = known === undefined ? {} : { expected: JSON.parse(known.seen) as unknown };
    const client = await this.#folderOf(address.runtime).link.ready();
    try {
      await writeValue(client, holder, { key, value, ...expected });
    } catch (error) {
      if (!WeirError.is(error, 'conflict')) throw error;
      const now = await readValue(client, holder, key);
      const isOther = now !== undefined && known !== undefined && pretty(now.value) !== known.seen;
      if (!isOther) throw unavailable(messageOf(error));
      known.base = known.seen = pretty(now.value);
      throw changedMeanwhile(key, known.seen);
    }
    const seen = pretty(value);
    this.#known.set(uri.toString(), { base: seen, seen, mtime: this.#later(known) });
  }

  async delete(uri: vscode.Uri): Promise<void> {
    const address = addressOf(uri);
    if (address === undefined) throw vscode.FileSystemError.NoPermissions(uri);
    const client = await this.#folderOf(address.runtime).link.ready();
    await deleteValue(client, address.holder, address.key);
  }

  watch(): vscode.Disposable {
    // Changes are reported for every open document.
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  /** The folders above a file are only the title of it. */
  createDirectory(): void {
    // They are there.
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Reads it, and takes note of what it is now. */
  async #look(uri: vscode.Uri, { runtime, holder, key }: Address): Promise<Known> {
    const client = await this.#folderOf(runtime).link.ready();
    const read = await readValue(client, holder, key);
    const id = uri.toString();
    if (read === undefined) {
      this.#known.delete(id);
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const seen = pretty(read.value);
    const known = this.#known.get(id);
    if (known === undefined) {
      const made = { base: undefined, seen, mtime: this.#clock.now() };
      this.#known.set(id, made);
      return made;
    }
    if (known.seen !== seen) Object.assign(known, { seen, mtime: this.#later(known) });
    return known;
  }

  #later(known: Known | undefined): number {
    return Math.max(this.#clock.now(), (known?.mtime ?? 0) + 1);
  }

  #folderOf(runtime: string): Folder {
    const folder = this.#folders.withKey(runtime);
    if (folder !== undefined) return folder;
    throw unavailable('Its folder is no longer part of the workspace.');
  }

  #tell(folder: Folder, emitters: ReadonlySet<string>, dataStores: ReadonlySet<string>): void {
    const touched = vscode.workspace.textDocuments.filter(({ uri }) => {
      const address = uri.scheme === valueScheme ? addressOf(uri) : undefined;
      if (address?.runtime !== folder.key) return false;
      const { holder } = address;
      return holder.kind === 'db' ? emitters.has(holder.sourceId) : dataStores.has(holder.id);
    });
    const type = vscode.FileChangeType.Changed;
    if (touched.length > 0) this.#changed.fire(touched.map(({ uri }) => ({ type, uri })));
  }
}

interface Address {
  /** Key of the runtime. */
  readonly runtime: string;
  readonly holder: Holder;
  readonly key: string;
}

/** The address's path is the title of the tab with its parents; the query identifies the value. */
export function valueUri({ folder, holder, name, kept: { key } }: ValueAddress): vscode.Uri {
  const query = new URLSearchParams({
    key,
    ...(holder.kind === 'db'
      ? { source: holder.sourceId, prop: holder.prop }
      : { store: holder.id }),
    folder: folder.key,
  });
  // A slash would end the name of the tab.
  const [above, file] = [name, key].map((part) => part.replaceAll(/[\\/]/g, '∕'));
  const path = `/${above}/${titleAt(folder, file ?? key)}.json`;
  return vscode.Uri.from({ scheme: valueScheme, path, query: query.toString() });
}

/** Undefined for the folders above a file. */
function addressOf(uri: vscode.Uri): Address | undefined {
  if (!uri.path.endsWith('.json')) return undefined;
  const query = new URLSearchParams(uri.query);
  const get = (name: string): string => query.get(name) ?? '';
  const store = query.get('store');
  return {
    runtime: get('folder'),
    key: get('key'),
    holder:
      store === null
        ? { kind: 'db', sourceId: get('source'), prop: get('prop') }
        : { kind: 'dataStore', id: store },
  };
}

/** Whether VS Code, which compares sizes, takes a text for the one that it has read. */
function isMissed(base: string, seen: string): boolean {
  return base !== seen && Buffer.byteLength(base) === Buffer.byteLength(seen);
}

function parse(text: string, key: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unavailable(
      `The value of "${key}" is not JSON: ${messageOf(error)}. Nothing was written.`,
    );
  }
}

function changedMeanwhile(key: string, now: string): vscode.FileSystemError {
  const value = now.trim().replaceAll(/\s+/g, ' ').slice(0, 100);
  return unavailable(
    `"${key}" has changed since you opened it: it is ${value} now. Retry to write yours over it, or Revert to read it.`,
  );
}

const unavailable = (message: string): vscode.FileSystemError =>
  vscode.FileSystemError.Unavailable(message);

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
