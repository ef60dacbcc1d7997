import type { Connection } from '../wasm/connection.ts';
import type { Row } from '../wasm/row.ts';
import type { InterfaceRecord } from '../../configuration/sources.ts';

/** In declaration order. */
export function interfacesOf(db: Connection, source: number): InterfaceRecord[] {
  return db
    .prepare('SELECT * FROM interfaces WHERE source = ? ORDER BY row')
    .all(readInterface, source);
}

export function replaceInterfaces(
  db: Connection,
  source: number,
  interfaces: readonly InterfaceRecord[],
): void {
  db.prepare('DELETE FROM interfaces WHERE source = ?').run(source);
  const insert = db.prepare(
    `INSERT INTO interfaces (source, id, prop, kind, interval_seconds, cron, timezone, next_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const one of interfaces) {
    const timer = [one.intervalSeconds, one.cron, one.timezone, one.nextAt];
    insert.run(source, one.id, one.prop, one.kind, ...timer);
  }
}

function readInterface(row: Row): InterfaceRecord {
  const intervalSeconds = row.numberOrNull('interval_seconds');
  const cron = row.textOrNull('cron');
  const timezone = row.textOrNull('timezone');
  const nextAt = row.numberOrNull('next_at');
  return {
    id: row.text('id'),
    prop: row.text('prop'),
    kind: row.text('kind') as InterfaceRecord['kind'],
    ...(intervalSeconds === null ? {} : { intervalSeconds }),
    ...(cron === null ? {} : { cron }),
    ...(timezone === null ? {} : { timezone }),
    ...(nextAt === null ? {} : { nextAt }),
  };
}
