/** The caller: what an interface knows of it, and what operations may read. */
import { WeirError } from '../../../protocol/errors.ts';
import type { AdHocPlaces } from '../../base/ad-hoc-places.ts';
import { allows, type Scope } from '../../../protocol/scopes.ts';

/** One object per key: its holder is recognized by identity, even if another key of that name is made later. */
export interface Caller {
  /** Name of the key. */
  readonly name: string;
  /** Undefined without a key. */
  readonly scope: Scope | undefined;
  /** Aborted when the key is removed; absent for callers whose key cannot be removed. */
  readonly removed?: AbortSignal;
}

/** The name of the key in `runtime.json`, which no other key may have. */
export const localName = 'local';

/** The holder of the key of `runtime.json`, on this machine. */
export const localCaller: Caller = { name: localName, scope: 'admin' };

/** Used where no key is required. */
export const nobody: Caller = { name: '', scope: undefined };

/** A reader of a stream at an unguessable address. */
export const streamReader: Caller = { name: '', scope: 'read' };

/**
 * Why a caller may not do it; undefined when it may. Every face asks at the act: a key may have been removed since the
 * head of its request was read (P26.3).
 */
export function refuseScope(what: string, caller: Caller, needed: Scope): WeirError | undefined {
  if (caller.removed?.aborted === true) return keyRemoved(caller);
  if (allows(caller.scope, needed)) return undefined;
  return new WeirError(
    'forbidden',
    caller.scope === undefined
      ? `${what} needs a key with the scope "${needed}".`
      : `${what} needs a key with the scope "${needed}", and the key "${caller.name}" has "${caller.scope}": ask whoever runs this server for another one.`,
  );
}

/** Places of components that a caller may name although no registry is configured for them (P26.12). */
export function adHocOf(caller: Caller): AdHocPlaces {
  if (caller === localCaller) return 'all';
  return allows(caller.scope, 'deploy') ? 'https' : 'none';
}

/** The answer to every request of a key that was removed. */
export function keyRemoved({ name }: Caller): WeirError {
  return new WeirError(
    'unauthorized',
    `The key "${name}" was removed. Ask whoever runs this server for another one.`,
  );
}
