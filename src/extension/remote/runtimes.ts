import type { Memento, SecretStorage } from 'vscode';

/** A runtime on another machine that somebody has connected a folder to. */
export interface RemoteRuntime {
  /** By which it is chosen and shown; no two of a folder have the same. */
  readonly name: string;
  /** `https://…`, or `http://` of this machine. */
  readonly url: string;
  /** A named key of it. */
  readonly key: string;
}

/**
 * The runtimes on other machines that folders know, each folder its own: addresses and keys are in VS Code's secret storage,
 * which one is used in the memory of the workspace.
 */
export class Runtimes {
  readonly #memory: Memento;
  readonly #secrets: SecretStorage;

  constructor(memory: Memento, secrets: SecretStorage) {
    this.#memory = memory;
    this.#secrets = secrets;
  }

  /** Name of the one that is used; undefined for the folder's own. */
  chosen(dataFolder: string): string | undefined {
    return this.#memory.get<string>(chosenKey(dataFolder));
  }

  /** Whether the folder knows any, without a look at the secrets. */
  hasAny(dataFolder: string): boolean {
    return this.#memory.get<boolean>(anyKey(dataFolder)) === true;
  }

  /** @param name undefined for the folder's own runtime */
  async choose(dataFolder: string, name: string | undefined): Promise<void> {
    await this.#memory.update(chosenKey(dataFolder), name);
  }

  /** In the order in which they were added. */
  async list(dataFolder: string): Promise<readonly RemoteRuntime[]> {
    const text = await this.#secrets.get(listKey(dataFolder));
    return text === undefined ? [] : (JSON.parse(text) as RemoteRuntime[]);
  }

  /** Adds a runtime, and replaces another one at the same address. */
  async add(dataFolder: string, runtime: RemoteRuntime): Promise<void> {
    const others = (await this.list(dataFolder)).filter(({ url }) => url !== runtime.url);
    await this.#save(dataFolder, [...others, runtime]);
  }

  /** Forgets one with its key; the folder's own runtime is used if it was the one. */
  async forget(dataFolder: string, name: string): Promise<void> {
    const others = (await this.list(dataFolder)).filter((one) => one.name !== name);
    await this.#save(dataFolder, others);
    if (this.chosen(dataFolder) === name) await this.choose(dataFolder, undefined);
  }

  async #save(dataFolder: string, runtimes: readonly RemoteRuntime[]): Promise<void> {
    await this.#secrets.store(listKey(dataFolder), JSON.stringify(runtimes));
    await this.#memory.update(anyKey(dataFolder), runtimes.length > 0 ? true : undefined);
  }
}

const chosenKey = (dataFolder: string): string => `runtime.chosen:${dataFolder}`;
const anyKey = (dataFolder: string): string => `runtime.known:${dataFolder}`;
const listKey = (dataFolder: string): string => `weir.runtimes:${dataFolder}`;

/**
 * A name for a runtime that no other one has: its host, with a number behind it when that is taken.
 * @param taken those of other addresses
 */
export function nameOf(url: string, taken: readonly string[]): string {
  const { host } = new URL(url);
  for (let count = 1; ; count++) {
    const name = count === 1 ? host : `${host} (${count})`;
    if (!taken.includes(name)) return name;
  }
}

/** What is wrong with a typed address; undefined for a valid one. */
export function urlProblem(text: string): string | undefined {
  // `localhost:7787` would be an address of the scheme `localhost`.
  if (!/^https?:\/\//i.test(text.trim())) return 'Start it with https:// or http://.';
  if (!URL.canParse(text.trim()))
    return 'This is not an address. Write it as https://weir.example.com.';
  const url = new URL(text.trim());
  if (url.protocol === 'https:') return undefined;
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && isLocal) return undefined;
  return 'Use https://: over http:// everybody on the way could read the key.';
}
