import type { SettingsTable } from '../configuration/settings.ts';
import { type Setting, settings } from '../schema/configuration.ts';
import type { TableEngine } from './engine.ts';
import { KeyedRecords } from './records.ts';

export interface Settings extends SettingsTable {
  reread: KeyedRecords<Setting>['reread'];
}

/** @param flush resolves when everything written so far is on disk */
export async function createSettings(
  engine: TableEngine,
  flush: () => Promise<void>,
): Promise<Settings> {
  const values = await KeyedRecords.load(engine, settings, 'key');
  return {
    reread: () => values.reread(),
    get: (key) => values.get(key)?.value,
    set: (key, value) => engine.write((change) => values.put(change, { key, value })),
    async ensure(key, value) {
      if (values.get(key) !== undefined) await flush();
      else {
        // If several nodes start together, the first decides the value.
        await engine.write((change) =>
          change.statement(
            `INSERT INTO settings (key, value) VALUES (?, ?)
             ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value`,
            [key, value],
            ([row]) => {
              if (row !== undefined) values.remember(change, { key, value: String(row['value']) });
            },
          ),
        );
      }
      return values.get(key)?.value ?? value;
    },
  };
}
