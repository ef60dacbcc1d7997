import type { SettingsTable } from '../../configuration/settings.ts';
import { type Engine, write } from '../engine.ts';
import { text } from '../fields.ts';

export interface Settings extends SettingsTable {
  /** See `Records.reread`. */
  reread(): Promise<() => void>;
}

export async function createSettings(engine: Engine): Promise<Settings> {
  const values = new Map<string, string>();
  const reread = async () => {
    const rows = await engine.read('SELECT key, value FROM settings');
    return (): void => {
      values.clear();
      for (const row of rows) values.set(text(row, 'key'), text(row, 'value'));
    };
  };
  (await reread())();
  const put = (key: string, value: string): Promise<void> =>
    write(engine, (change) => {
      change.run(
        `INSERT INTO settings (key, value) VALUES ($1, $2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
        [key, value],
      );
      values.set(key, value);
      engine.configuration.changes += 1;
    });
  return {
    reread,
    get: (key) => values.get(key),
    set: put,
    // Of nodes that start together, one says what it is.
    async ensure(key, value) {
      if (values.has(key)) await engine.writer.flush();
      else {
        await write(engine, (change) =>
          change.run(
            `INSERT INTO settings (key, value) VALUES ($1, $2)
             ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value`,
            [key, value],
            ([row]) => {
              if (row !== undefined) values.set(key, text(row, 'value'));
            },
          ),
        );
      }
      return values.get(key) ?? value;
    },
  };
}
