import type { ThrownError } from '../../../../protocol/host.ts';
import type { NewSend, SendRecord, SendTable } from '../../history/sends.ts';
import { sends } from '../../schema/history.ts';
import type { EmitterKey } from '../emitter-keys.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';

export interface Sends extends SendTable {
  /** See `TakenEmitter`. @param emitter its row */
  pending(emitter: number): SendRecord[];
  /**
   * Within a write.
   * @param done of one that is done with this write, or is only kept; it waits unless given
   */
  insert(
    key: EmitterKey,
    execution: number,
    send: NewSend,
    at: number,
    done?: 'not_sent' | { readonly answer?: unknown; readonly error?: ThrownError },
  ): SendRecord;
}

export function createSends({ db, groups, keys }: Engine): Sends {
  const read = (row: Row): SendRecord => sends.read(row.all(), keys);
  const insert = db.prepare(
    `INSERT INTO sends (emitter, execution, path, send, status, answer, error, created_at, ended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING n`,
  );
  return {
    insert(key, execution, { path, send }, at, done) {
      const row = rowOf(done, at);
      const n = insert.get(
        (row) => row.number('n'),
        key.row,
        execution,
        path,
        JSON.stringify(send),
        row.status,
        row.answer,
        row.error === null ? null : JSON.stringify(row.error),
        at,
        row.endedAt,
      );
      if (n === undefined) throw new Error('The number of a send is missing.');
      return { n, emitterId: key.id, execution, path, send, createdAt: at, ...row };
    },
    pending: (emitter) =>
      db
        .prepare(`SELECT * FROM sends WHERE status = 'pending' AND emitter = ? ORDER BY n`)
        .all(read, emitter),
    ofExecution: async (n) =>
      db.prepare('SELECT * FROM sends WHERE execution = ? ORDER BY n').all(read, n),
    end: ({ id, fence }, { n, status, answer, error, at }) =>
      groups.writeAlone(() => {
        const key = keys.ownedIfThere({ id, fence });
        if (key === undefined) return;
        db.prepare(
          'UPDATE sends SET status = ?, answer = ?, error = ?, ended_at = ? WHERE n = ?',
        ).run(status, answer, error === undefined ? null : JSON.stringify(error), at, n);
        // An execution that stores nothing (P25.5) leaves nothing after its sends.
        db.prepare(
          'DELETE FROM sends WHERE n = ? AND NOT EXISTS (SELECT 1 FROM step_runs WHERE step_runs.execution = sends.execution)',
        ).run(n);
      }),
  };
}

function rowOf(done: Parameters<Sends['insert']>[4], at: number) {
  if (done === undefined || done === 'not_sent') {
    return { status: done ?? 'pending', answer: null, error: null, endedAt: null } as const;
  }
  const { answer, error = null } = done;
  return {
    status: error === null ? 'sent' : 'failed',
    answer: answer === undefined ? null : JSON.stringify(answer),
    error,
    endedAt: at,
  } as const;
}
