import type { Memento } from 'vscode';

/** What VS Code keeps for an extension. */
export function newMemory(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key) as never,
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}
