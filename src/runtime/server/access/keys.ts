/**
 * Named keys (P26.2, P26.3), one for each person or program: what each allows is its scope. A key has 256 random bits, so its
 * SHA-256 is all that has to be kept, and nobody finds a key by trying.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { WeirError } from '../../../protocol/errors.ts';
import type { Scope } from '../../../protocol/scopes.ts';
import type { SettingsTable } from '../../store/configuration/settings.ts';
import { type Caller, localName } from './caller.ts';

export interface KeysOptions {
  readonly settings: Pick<SettingsTable, 'get' | 'set'>;
  readonly now: () => number;
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
}

const setting = 'namedKeys';
const validName = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,62}$/u;

export class Keys {
  readonly #options: KeysOptions;
  readonly #removed = new Set<(caller: Caller) => void>();
  #known: readonly Known[];

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
   * @throws WeirError `bad_input` for a name that cannot be one, `conflict` for one that is taken
   */
  async add(name: string, scope: Scope): Promise<ListedKey & { readonly key: string }> {
    if (!validName.test(name)) {
      throw new WeirError(
        'bad_input',
        `"${name}" is not a name for a key: use up to 63 letters, digits, spaces and . _ @ -, with a letter or digit first.`,
      );
    }
    if (name === localName || this.#known.some((one) => one.name === name)) {
      throw new WeirError(
        'conflict',
        name === localName
          ? `"${localName}" is the key of runtime.json; choose another name.`
          : `There is a key "${name}" already; remove it with "weir keys remove", or choose another name.`,
      );
    }
    const { now, random } = this.#options;
    const key = `weir_${random(32).toString('base64url')}`;
    const kept = { name, scope, createdAt: now(), hash: digestOf(key).toString('hex') };
    await this.#save([...this.#known, known(kept)]);
    return { name, scope, createdAt: kept.createdAt, key };
  }

  /** Who was let in with it is told of by `onRemoved`. @throws WeirError `not_found` */
  async remove(name: string): Promise<void> {
    const gone = this.#known.find((one) => one.name === name);
    if (gone === undefined) {
      throw new WeirError('not_found', `There is no key "${name}"; "weir keys list" shows them.`);
    }
    await this.#save(this.#known.filter((one) => one !== gone));
    for (const listener of this.#removed) listener(gone.caller);
  }

  onRemoved(listener: (caller: Caller) => void): void {
    this.#removed.add(listener);
  }

  /** Whose key it is. Takes the same time for every key that is none, and for every one that is. */
  callerOf(key: string): Caller | undefined {
    const digest = digestOf(key);
    let found: Caller | undefined;
    for (const one of this.#known) if (timingSafeEqual(digest, one.digest)) found = one.caller;
    return found;
  }

  /** A key that is removed opens nothing any more, even while that is on its way to the disk. */
  async #save(keys: readonly Known[]): Promise<void> {
    const before = this.#known;
    this.#known = keys;
    const kept: KeptKey[] = keys.map(({ name, scope, createdAt, hash }) => ({
      name,
      scope,
      createdAt,
      hash,
    }));
    try {
      await this.#options.settings.set(setting, JSON.stringify(kept));
    } catch (error) {
      this.#known = before;
      throw error;
    }
  }
}

function known(kept: KeptKey): Known {
  const { name, scope } = kept;
  return { ...kept, digest: Buffer.from(kept.hash, 'hex'), caller: { name, scope } };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
