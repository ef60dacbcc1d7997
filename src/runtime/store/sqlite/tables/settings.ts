import type { Engine } from '../engine.ts';
import type { SettingsTable } from '../../configuration/settings.ts';

export function createSettings({ db, groups }: Engine): SettingsTable {
  const read = db.prepare('SELECT value FROM settings WHERE key = ?');
  const write = db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
  return {
    get: (key) => read.get((row) => row.text('value'), key),
    set: (key, value) => groups.writeAlone(() => write.run(key, value)),
  };
}
