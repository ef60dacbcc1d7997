/**
 * The variables in `process.env` of a step besides those that every component's process keeps: values set with `weir
 * env`, sealed at rest, and values of `.env` beside the data folder that are not set.
 */
import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { environmentSetting } from '../undecryptable-secrets.ts';
import type { SettingsTable } from '../../store/configuration/settings.ts';
import { type Mask, maskOf } from '../../../protocol/mask.ts';
import type { Sealer } from '../seal.ts';
import { KeyedMutex } from '../../base/keyed-mutex.ts';
import type { BaseServices } from '../../base/services.ts';

export interface EnvironmentOptions extends Pick<BaseServices, 'now'> {
  readonly settings: SettingsTable;
  readonly sealer: Sealer;
  /** Absolute path of `.env`, which may be missing; undefined if there is no such path. */
  readonly file: string | undefined;
  /** Called with a file that cannot be read, once for each state of it. */
  readonly warn: (message: string) => void;
}

/** A value as lists show it: where it comes from, never what it is. */
export interface ListedVariable {
  readonly name: string;
  readonly from: 'weir env' | '.env';
}

/** As editors and shells of all systems write it: with a byte order mark or not, and with any line breaks. */
function textOfFile(bytes: Buffer): string {
  const charset =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(charset).decode(bytes).replaceAll(/\r\n?/g, '\n');
}

type Variables = Readonly<Record<string, string>>;

const reserved = /^(PIPEDREAM_|WEIR_)/i;
const nameOf = /^[A-Za-z_]\w*$/;
/** After how many ms a change of `.env` is noticed. */
const lookMs = 1000;

export class Environment {
  readonly #options: EnvironmentOptions;
  /** As they were read last. */
  #sealed = '';
  #set: Variables = {};
  #file: Variables = {};
  readonly #changes = new KeyedMutex();
  #mask: Mask | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Identifies the content of `.env`. */
  #version = '';

  constructor(options: EnvironmentOptions) {
    this.#options = options;
    this.reload();
    this.refresh();
  }

  /** Reads the set variables again, as another runtime may have changed them. @returns whether anything has changed */
  reload(): boolean {
    const { settings, sealer } = this.#options;
    const sealed = settings.get(environmentSetting) ?? '';
    if (sealed === this.#sealed) return false;
    this.#sealed = sealed;
    // Values sealed with another machine's key count as unset until they are set again, and `foreign` says so.
    this.#set =
      sealed === '' || !sealer.fits(sealed)
        ? {}
        : (JSON.parse(sealer.open(sealed)) as Record<string, string>);
    this.#mask = undefined;
    return true;
  }

  /** `.env` gives something that is on this machine alone. */
  get hasFile(): boolean {
    return Object.keys(this.#file).length > 0;
  }

  /**
   * Looks at `.env` again, at most once a second. It asks the file system in between two steps, so that a watcher
   * is not needed, and nothing happens while nothing runs.
   * @returns whether anything has changed
   */
  refresh(): boolean {
    const { now, file } = this.#options;
    if (file === undefined) return false;
    const at = now();
    // A clock that was set back must not keep it from looking.
    if (at >= this.#lookedAt && at < this.#lookedAt + lookMs) return false;
    this.#lookedAt = at;
    const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
    const version = stat?.isFile() === true ? `${stat.mtimeNs} ${stat.size} ${stat.ino}` : '';
    if (version === this.#version) return false;
    this.#version = version;
    this.#file = version === '' ? {} : read(file, this.#options.warn);
    this.#mask = undefined;
    return true;
  }

  /** By name, in the clear. */
  all(): Readonly<Record<string, string>> {
    return { ...this.#file, ...this.#set };
  }

  list(): ListedVariable[] {
    const names = [...new Set([...Object.keys(this.#file), ...Object.keys(this.#set)])].sort();
    return names.map((name) => ({
      name,
      from: Object.hasOwn(this.#set, name) ? 'weir env' : '.env',
    }));
  }

  /** Resolves when it is on disk. @throws WeirError `bad_input` for a name that cannot be one */
  async set(name: string, value: string): Promise<void> {
    if (!nameOf.test(name)) {
      throw new WeirError(
        'bad_input',
        `"${name}" is not a name: use letters, digits and _, and no digit first.`,
      );
    }
    if (reserved.test(name)) {
      throw new WeirError('bad_input', `Names that begin with PIPEDREAM_ or WEIR_ are reserved.`);
    }
    await this.#change((before) => ({ ...before, [name]: value }));
  }

  /** @throws WeirError `not_found` */
  async delete(name: string): Promise<void> {
    await this.#change(({ [name]: gone, ...rest }) => {
      if (gone !== undefined) return rest;
      throw new WeirError(
        'not_found',
        `There is no variable ${name} that was set with "weir env".`,
      );
    });
  }

  /** Hides the values wherever they would be shown (W50). */
  get mask(): Mask {
    this.#mask ??= maskOf(this.all());
    return this.#mask;
  }

  /** Memory has a change once it is stored, and each change is made of what the one before has stored. */
  #change(to: (before: Variables) => Variables): Promise<void> {
    const { settings, sealer } = this.#options;
    return this.#changes.run(environmentSetting, async () => {
      const values = to(this.#set);
      const sealed = sealer.seal(JSON.stringify(values));
      await settings.set(environmentSetting, sealed);
      this.#set = values;
      this.#mask = undefined;
      this.#sealed = sealed;
    });
  }
}

/** Reads a `.env` file. Names reserved for the platform are not read from a file either. */
function read(file: string, warn: (message: string) => void): Record<string, string> {
  let text: string;
  try {
    text = textOfFile(readFileSync(file));
  } catch (error) {
    warn(`${file} cannot be read, and none of its variables is set: ${messageOf(error)}`);
    return {};
  }
  if (text.includes('\0')) {
    warn(`${file} is not text, and none of its variables is set: save it as UTF-8.`);
    return {};
  }
  return Object.fromEntries(
    Object.entries(parseEnv(text) as Record<string, string>).filter(
      ([name]) => nameOf.test(name) && !reserved.test(name),
    ),
  );
}
