import { notJson, parseJson, toJson } from '../json.ts';
import type { Invocation } from './invocation.ts';

/** How much the platform keeps for a component, in characters of keys and JSON (P9.7). */
const guideline = 60 * 1024;

/** The contents of one `$.service.db` prop: key → JSON text. Shared by all invocations of a host. */
export class DbContents {
  readonly #texts: Map<string, string>;
  #size = 0;

  constructor(stored: Readonly<Record<string, string>> | undefined) {
    this.#texts = new Map(Object.entries(stored ?? {}));
    for (const [key, json] of this.#texts) this.#size += key.length + json.length;
  }

  get(key: string): string | undefined {
    return this.#texts.get(key);
  }

  /**
   * @param json undefined takes the key away
   * @returns true when the contents have just grown beyond what the platform keeps
   */
  set(key: string, json: string | undefined): boolean {
    const before = this.#size;
    const old = this.#texts.get(key);
    if (old !== undefined) this.#size -= key.length + old.length;
    if (json === undefined) this.#texts.delete(key);
    else {
      this.#texts.set(key, json);
      this.#size += key.length + json.length;
    }
    return before <= guideline && this.#size > guideline;
  }
}

/** Type of `this.<db>` (P9): synchronous, JSON copies in both directions. */
export interface Db {
  get(key: unknown): unknown;
  set(key: unknown, value: unknown): void;
}

/**
 * Reads from memory; a write is in memory at once and reaches the store with the invocation's commit.
 * `set(key)` and `set(key, undefined)` take the key away.
 */
export function createDb(prop: string, contents: DbContents, invocation: Invocation): Db {
  return {
    get(key: unknown): unknown {
      const json = contents.get(keyOf(key));
      return json === undefined ? undefined : parseJson(json);
    },
    set(key: unknown, value: unknown): void {
      const name = keyOf(key);
      const json = jsonOf(prop, name, value);
      if (invocation.ended) {
        invocation.warnOnce(
          `this.${prop}.set("${name}") was called after the run had ended and had no effect.`,
        );
        return;
      }
      const write = { prop, key: name, ...(json === undefined ? {} : { json }) };
      invocation.writeDb(write, () => contents.get(name));
      if (contents.set(name, json)) {
        invocation.warnOnce(
          `this.${prop} holds more than 60 KB now. Weir keeps it; Pipedream may not.`,
        );
      }
    },
  };
}

/** As it comes back from the store, which has no halves of characters. */
function keyOf(key: unknown): string {
  return String(key).toWellFormed();
}

function jsonOf(prop: string, key: string, value: unknown): string | undefined {
  try {
    return toJson(value);
  } catch (cause) {
    throw notJson(`this.${prop}.set("${key}"): the value`, cause);
  }
}
