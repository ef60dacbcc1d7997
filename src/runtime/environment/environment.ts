/**
 * What `process.env` of a step has beside what every component's process keeps: values set with `weir env`, sealed
 * at rest, and what `.env` beside the data folder gives that they do not set.
 */
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { WeirError } from '../../protocol/errors.ts';
import type { SettingsTable } from '../store/configuration/settings.ts';

export interface EnvironmentOptions {
  readonly settings: SettingsTable;
  readonly seal: (text: string) => string;
  readonly open: (sealed: string) => string;
  /** Absolute path of `.env`; it may be missing. */
  readonly file: string;
}

/** A value as lists show it: where it comes from, never what it is. */
export interface ListedVariable {
  readonly name: string;
  readonly from: 'weir env' | '.env';
}

const settingName = 'environment';
const reserved = /^(PIPEDREAM_|WEIR_)/;

export class Environment {
  readonly #options: EnvironmentOptions;
  #set: Readonly<Record<string, string>>;
  #file: Readonly<Record<string, string>> = {};
  #mask: ((text: string) => string) | undefined;

  constructor(options: EnvironmentOptions) {
    this.#options = options;
    const sealed = options.settings.get(settingName);
    this.#set =
      sealed === undefined || sealed === ''
        ? {}
        : (JSON.parse(options.open(sealed)) as Record<string, string>);
  }

  /** Reads `.env` again. @returns whether anything has changed */
  async refresh(): Promise<boolean> {
    const text = await readFile(this.#options.file, 'utf8').catch(() => '');
    const before = JSON.stringify(this.#file);
    this.#file = parseEnv(text) as Record<string, string>;
    this.#mask = undefined;
    return JSON.stringify(this.#file) !== before;
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
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new WeirError(
        'bad_input',
        `"${name}" is not a name: use letters, digits and _, and no digit first.`,
      );
    }
    if (reserved.test(name)) {
      throw new WeirError('bad_input', `Names that begin with PIPEDREAM_ or WEIR_ are reserved.`);
    }
    await this.#save({ ...this.#set, [name]: value });
  }

  /** @throws WeirError `not_found` */
  async delete(name: string): Promise<void> {
    const { [name]: gone, ...rest } = this.#set;
    if (gone === undefined) {
      throw new WeirError(
        'not_found',
        `There is no variable ${name} that was set with "weir env".`,
      );
    }
    await this.#save(rest);
  }

  /** Puts the name in the place of each value that a text holds (W50). */
  readonly mask = (text: string): string => {
    this.#mask ??= maskOf(this.all());
    return this.#mask(text);
  };

  async #save(values: Readonly<Record<string, string>>): Promise<void> {
    const { settings, seal } = this.#options;
    this.#set = values;
    this.#mask = undefined;
    await settings.set(settingName, seal(JSON.stringify(values)));
  }
}

/** A shorter value would hide what is no secret: "1", "true", "eu". */
const shortest = 6;

/** Longer values first: one may be part of another. */
function maskOf(values: Readonly<Record<string, string>>): (text: string) => string {
  const secrets = Object.entries(values)
    .filter(([, value]) => value.length >= shortest)
    .flatMap(([name, value]) => {
      // As it stands within JSON.
      const escaped = JSON.stringify(value).slice(1, -1);
      const shown = `[${name}]`;
      return escaped === value
        ? [{ value, shown }]
        : [
            { value, shown },
            { value: escaped, shown },
          ];
    })
    .sort((a, b) => b.value.length - a.value.length);
  if (secrets.length === 0) return (text) => text;
  return (text) => {
    let masked = text;
    for (const { value, shown } of secrets) masked = masked.replaceAll(value, shown);
    return masked;
  };
}
