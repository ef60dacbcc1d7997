import type { Keys, ListedKey } from '../../server/access/keys.ts';
import type { Handlers } from './operations.ts';

export interface KeyHandlerParts {
  readonly keys: Pick<Keys, 'list' | 'add' | 'remove'>;
}

export function keyHandlers({
  keys,
}: KeyHandlerParts): Pick<Handlers, 'keys.list' | 'keys.add' | 'keys.remove'> {
  return {
    'keys.list': () => ({ data: keys.list().map(presentKey) }),
    'keys.add': async ({ name, scope }, { caller }) => {
      const { key, ...made } = await keys.add(name, scope, caller);
      return { ...presentKey(made), key };
    },
    'keys.remove': async ({ name }, { caller, answered }) => {
      await keys.remove(name, caller, answered);
      return {};
    },
  };
}

/** As answers show it. */
export function presentKey({ name, scope, createdAt }: ListedKey) {
  return { name, scope, created_at: new Date(createdAt).toISOString() };
}
