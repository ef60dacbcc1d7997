import type { Path } from './messages.ts';
import { paced, typingPaceMs } from './paced.ts';

/** Texts that are typed outside of forms, from the first key until the file has them. */
export interface TextDrafts {
  /** What a field shows. @param text what the file has */
  shown(path: Path, text: string): string;
  /** @param write puts the text into the file; undefined for a text that cannot be there as it is */
  type(path: Path, text: string, write: (() => void) | undefined): void;
  /** What was typed goes into the file now. */
  flush(): void;
  /** The file has everything that was sent. */
  taken(): void;
  /** Forgets everything. */
  clear(): void;
}

export function createTextDrafts(): TextDrafts {
  const pace = paced(typingPaceMs);
  const texts = new Map<string, { readonly text: string; readonly isRefused: boolean }>();
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
      texts.set(key, { text, isRefused: write === undefined });
      if (write === undefined) {
        pending.delete(key);
        return;
      }
      pending.set(key, write);
      pace.request(flush);
    },
    flush,
    taken() {
      for (const [key, { isRefused }] of texts) {
        if (!isRefused && !pending.has(key)) texts.delete(key);
      }
    },
    clear() {
      pending.clear();
      texts.clear();
    },
  };
}
