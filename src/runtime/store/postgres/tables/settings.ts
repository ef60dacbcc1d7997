import type { SettingsTable } from '../../configuration/settings.ts';
import { type Engine, write } from '../engine.ts';
import { text } from '../fields.ts';

export async function createSettings(engine: Engine): Promise<SettingsTable> {
  const rows = await engine.read('SELECT key, value FROM settings');
  const values = new Map(rows.map((row) => [text(row, 'key'), text(row, 'value')]));
  const put = (key: string, value: string): Promise<void> =>
    write(engine, (change) => {
      change.run(
        `INSERT INTO settings (key, value) VALUES ($1, $2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
        [key, value],
      );
      values.set(key, value);
    });
  return {
    get: (key) => values.get(key),
    set: put,
    async ensure(key, value) {
      const found = values.get(key);
      if (found === undefined) await put(key, value);
      else await engine.writer.flush();
      return found ?? value;
    },
  };
}
