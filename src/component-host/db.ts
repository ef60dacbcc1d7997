import type { Invocation } from './invocation.ts';

/** The contents of one `$.service.db` prop: key → JSON text. Shared by all invocations of a host. */
export type DbContents = Map<string, string>;

export function dbContents(stored: Readonly<Record<string, string>> | undefined): DbContents {
  return new Map(Object.entries(stored ?? {}));
}

/** What `this.<db>` is (reference §1.10): synchronous, JSON copies both ways. */
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
      const json = contents.get(String(key));
      return json === undefined ? undefined : JSON.parse(json);
    },
    set(key: unknown, value: unknown): void {
      const name = String(key);
      const json = jsonOf(prop, name, value);
      if (invocation.ended) {
        invocation.warnOnce(
          `this.${prop}.set("${name}") was called after the run had ended and had no effect.`,
        );
        return;
      }
      if (json === undefined) contents.delete(name);
      else contents.set(name, json);
      invocation.write({ prop, key: name, ...(json === undefined ? {} : { json }) });
    },
  };
}

function jsonOf(prop: string, key: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`this.${prop}.set("${key}"): the value cannot be made JSON. ${reason}`, {
      cause,
    });
  }
}
