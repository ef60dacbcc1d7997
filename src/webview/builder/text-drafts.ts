import type { Path } from './messages.ts';
import { throttle, typingPaceMs } from './throttle.ts';

/** Texts that are typed outside of forms, from the first key until the file has them. */
export interface TextDrafts {
  /** What a field shows. @param text what the file has */
  shown(path: Path, text: string): string;
  /** @param write puts the text into the file; undefined for a text that cannot be there as it is */
  type(path: Path, text: string, write: (() => void) | undefined): void;
  /** What was typed goes into the file now. */
  flush(): void;
  /** Forgets what the file says now. @param textAt what it has at a path, as fields show it */
  taken(textAt: (path: Path) => string): void;
  /** A field was left: what it shows next is what the file has. */
  leave(path: Path): void;
  /** Forgets everything. */
  clear(): void;
}

export function createTextDrafts(): TextDrafts {
  const pace = throttle(typingPaceMs);
  const texts = new Map<string, { readonly text: string; readonly isRefused: boolean }>();
  const left = new Set<string>();
  const pending = new Map<string, () => void>();
  const flush = (): void => {
    pace.cancel();
    const writes = [...pending.values()];
    pending.clear();
    for (const write of writes) write();
  };
  return {
    shown: (path, text) => texts.get(JSON.stringify(path))?.text ?? text,
    type(path, text, write) {
      const key = JSON.stringify(path);
      left.delete(key);
      texts.set(key, { text, isRefused: write === undefined });
      if (write === undefined) {
        pending.delete(key);
        return;
      }
      pending.set(key, write);
      pace.request(flush);
    },
    flush,
    taken(textAt) {
      for (const [key, { text, isRefused }] of texts) {
        // An earlier text may come while a later one is on its way.
        const isThere = left.has(key) || textAt(JSON.parse(key) as Path) === text;
        if (!isRefused && !pending.has(key) && isThere) texts.delete(key);
      }
    },
    leave(path) {
      flush();
      left.add(JSON.stringify(path));
    },
    clear() {
      pace.cancel();
      left.clear();
      pending.clear();
      texts.clear();
    },
  };
}
