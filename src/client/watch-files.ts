import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

export interface FileWatch {
  /** From now on these files, which may not exist yet. */
  follow(files: readonly string[]): void;
  close(): void;
}

/** Editors save in several writes: what happens within so many ms is one save. */
const saveMs = 50;

/**
 * Runs `saved` after each save of some files, never twice at a time: what is saved meanwhile runs it
 * once more. Folders are watched and not files: an editor that saves by renaming leaves a watched
 * file behind.
 * @param saved must not reject
 */
export function watchFiles(saved: () => Promise<void>): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let names = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isWorking = false;
  let isDue = false;
  const work = async (): Promise<void> => {
    isDue = true;
    if (isWorking) return;
    isWorking = true;
    while (isDue) {
      isDue = false;
      await saved();
    }
    isWorking = false;
  };
  const touched = (folder: string, name: string | null): void => {
    if (name !== null && !names.has(`${folder}\n${name}`)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void work(), saveMs);
  };
  return {
    follow(files) {
      names = new Set(files.map((file) => `${dirname(file)}\n${basename(file)}`));
      const folders = new Set(files.map((file) => dirname(file)));
      for (const [folder, watcher] of watchers) {
        if (folders.has(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      for (const folder of folders) {
        if (watchers.has(folder)) continue;
        const watcher = watch(folder, (_, name) => touched(folder, name));
        // A folder that is removed takes its files along; the next update says so.
        watcher.on('error', () => watcher.close());
        watchers.set(folder, watcher);
      }
    },
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
