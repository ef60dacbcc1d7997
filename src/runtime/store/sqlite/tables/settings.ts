import type { SettingsTable } from '../../configuration/settings.ts';
import type { Engine } from '../engine.ts';

export function createSettings({ db, groups }: Engine): SettingsTable {
  const values = new Map(
    db
      .prepare('SELECT key, value FROM settings')
      .all((row) => [row.text('key'), row.text('value')] as const),
  );
  const write = (key: string, value: string): void => {
    db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)').run(key, value);
    values.set(key, value);
  };
  return {
    get: (key) => values.get(key),
    set: (key, value) => groups.writeAlone(() => write(key, value)),
    ensure: (key, value) =>
      groups.writeAlone(() => {
        const found = values.get(key);
        if (found === undefined) write(key, value);
        return found ?? value;
      }),
  };
}
