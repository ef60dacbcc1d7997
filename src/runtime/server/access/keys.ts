/**
 * Named keys (P26.2, P26.3), one for each person or program: what each allows is its scope. A key has 256 random bits, so its
 * SHA-256 is all that has to be kept, and nobody finds a key by trying.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { WeirError } from '../../../protocol/errors.ts';
import type { Scope } from '../../../protocol/scopes.ts';
import type { SettingsTable } from '../../store/configuration/settings.ts';
import { type Caller, keyRemoved, localName } from './caller.ts';
import type { BaseServices } from '../../base/services.ts';

export interface KeysOptions extends Pick<BaseServices, 'now'> {
  readonly settings: Pick<SettingsTable, 'get' | 'set'>;
  /** As many random bytes. */
  readonly random: (bytes: number) => Buffer;
}

export interface ListedKey {
  readonly name: string;
  readonly scope: Scope;
  /** In ms. */
  readonly createdAt: number;
}

interface KeptKey extends ListedKey {
  /** SHA-256, in hex. */
  readonly hash: string;
}

interface Known extends KeptKey {
  readonly digest: Buffer;
  readonly caller: Caller;
  readonly removal: AbortController;
}

const setting = 'namedKeys';
const validName = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,62}$/u;

export class Keys {
  readonly #options: KeysOptions;
  readonly #removed = new Set<(caller: Caller) => void>();
  /** As stored. */
  #known: readonly Known[];
  /** Keys whose removal is being stored: they open nothing any more. */
  readonly #leaving = new Set<Known>();
  /** Each change is made of what the one before has stored. */
  #changes: Promise<unknown> = Promise.resolve();

  constructor(options: KeysOptions) {
    this.#options = options;
    const text = options.settings.get(setting) ?? '[]';
    this.#known = (JSON.parse(text) as KeptKey[]).map(known);
  }

  /** In the order they were made. */
  list(): ListedKey[] {
    return this.#known.map(({ name, scope, createdAt }) => ({ name, scope, createdAt }));
  }

  /**
   * Resolves with the key when it is on disk: nothing shows it a second time.
   * @param by the caller: nothing is made for a key that was removed meanwhile
   * @throws WeirError `bad_input` for an invalid name, `conflict` for one that is taken
   */
  async add(
    name: string,
    scope: Scope,
    by?: Caller,
  ): Promise<ListedKey & { readonly key: string }> {
    if (!validName.test(name)) {
      throw new WeirError(
        'bad_input',
        `"${name}" is not a name for a key: use up to 63 letters, digits, spaces and . _ @ -, with a letter or digit first.`,
      );
    }
    const { now, random } = this.#options;
    const key = `weir_${random(32).toString('base64url')}`;
    const kept = { name, scope, createdAt: now(), hash: digestOf(key).toString('hex') };
    await this.#change((before) => {
      if (by !== undefined && this.#isGone(by)) throw keyRemoved(by);
      if (name === localName || before.some((one) => one.name === name)) throw nameTaken(name);
      return [...before, known(kept)];
    });
    return { name, scope, createdAt: kept.createdAt, key };
  }

  /**
   * Listeners of `onRemoved` are called once the removal is stored.
   * @param answered resolves when a caller that removes its own key has its answer
   * @throws WeirError `not_found`
   */
  async remove(name: string, by?: Caller, answered?: () => Promise<void>): Promise<void> {
    const gone = this.#known.find((one) => one.name === name);
    if (gone === undefined) throw noSuchKey(name);
    if (by !== undefined && this.#isGone(by)) throw keyRemoved(by);
    this.#leaving.add(gone);
    try {
      await this.#change((before) => {
        if (!before.includes(gone)) throw noSuchKey(name);
        if (by !== undefined && by !== gone.caller && this.#isGone(by)) throw keyRemoved(by);
        return before.filter((one) => one !== gone);
      });
    } finally {
      this.#leaving.delete(gone);
    }
    const end = (): void => {
      gone.removal.abort(keyRemoved(gone.caller));
      for (const listener of this.#removed) listener(gone.caller);
    };
    if (by === gone.caller && answered !== undefined) void answered().then(end);
    else end();
  }

  onRemoved(listener: (caller: Caller) => void): void {
    this.#removed.add(listener);
  }

  /** The owner of a key. Takes the same time for every invalid key, and for every valid one. */
  callerOf(key: string): Caller | undefined {
    const digest = digestOf(key);
    let found: Caller | undefined;
    for (const one of this.#known) {
      if (timingSafeEqual(digest, one.digest) && !this.#leaving.has(one)) found = one.caller;
    }
    return found;
  }

  /** Changes wait for one another: the key of who asked may be removed by the time. */
  #isGone(by: Caller): boolean {
    const isOpen = (one: Known): boolean => one.caller === by && !this.#leaving.has(one);
    return by.removed !== undefined && !this.#known.some(isOpen);
  }

  /** Memory has the change once it is stored, and one change after the other: none takes back what another has stored. */
  #change(to: (before: readonly Known[]) => readonly Known[]): Promise<void> {
    const changed = this.#changes.then(async () => {
      const after = to(this.#known);
      const kept: KeptKey[] = after.map(({ name, scope, createdAt, hash }) => ({
        name,
        scope,
        createdAt,
        hash,
      }));
      await this.#options.settings.set(setting, JSON.stringify(kept));
      this.#known = after;
    });
    this.#changes = changed.catch(() => undefined);
    return changed;
  }
}

function known(kept: KeptKey): Known {
  const { name, scope } = kept;
  const removal = new AbortController();
  const caller = { name, scope, removed: removal.signal };
  return { ...kept, digest: Buffer.from(kept.hash, 'hex'), caller, removal };
}

function nameTaken(name: string): WeirError {
  return new WeirError(
    'conflict',
    name === localName
      ? `"${localName}" is the key of runtime.json; choose another name.`
      : `There is a key "${name}" already; remove it with "weir keys remove", or choose another name.`,
  );
}

function noSuchKey(name: string): WeirError {
  return new WeirError('not_found', `There is no key "${name}"; "weir keys list" shows them.`);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
