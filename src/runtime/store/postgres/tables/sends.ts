import type { ThrownError } from '../../../../protocol/host.ts';
import type { NewSend, SendRecord, SendTable } from '../../history/sends.ts';
import type { Change } from '../change.ts';
import type { OwnedKey } from '../emitter-keys.ts';
import { type Engine, write } from '../engine.ts';
import { sends } from '../../schema/history.ts';
import type { Row } from '../row-table.ts';

type Done = 'not_sent' | { readonly answer?: unknown; readonly error?: ThrownError };

export interface Sends extends SendTable {
  /** See `TakenEmitter`. @param emitter its row */
  pending(emitter: number): Promise<SendRecord[]>;
  /**
   * Within a write.
   * @param done of one that is done with this write, or is only kept; it waits unless given
   */
  insert(
    change: Change,
    key: OwnedKey,
    execution: number,
    send: NewSend,
    at: number,
    done?: Done,
  ): SendRecord;
}

export function createSends(engine: Engine): Sends {
  const { keys, read, numbers } = engine;
  const recordOf = (row: Row): SendRecord => sends.read(row, keys);
  return {
    insert(change, key, execution, { path, send }, at, done) {
      const n = numbers.next();
      const row = outcomeOf(done, at);
      change.run(
        `INSERT INTO sends
           (n, emitter, execution, path, send, status, answer, error, created_at, ended_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          n,
          key.row,
          execution,
          path,
          JSON.stringify(send),
          row.status,
          row.answer,
          row.error === null ? null : JSON.stringify(row.error),
          at,
          row.endedAt,
        ],
      );
      return { n, emitterId: key.id, execution, path, send, createdAt: at, ...row };
    },
    pending: async (emitter) =>
      (
        await read(`SELECT * FROM sends WHERE status = 'pending' AND emitter = $1 ORDER BY n`, [
          emitter,
        ])
      ).map(recordOf),
    ofExecution: async (n) =>
      (await read('SELECT * FROM sends WHERE execution = $1 ORDER BY n', [n])).map(recordOf),
    end: (owner, { n, status, answer, error, at }) =>
      write(engine, (change) => {
        if (keys.ownedIfThere(owner) === undefined) return;
        change.run(
          'UPDATE sends SET status = $2, answer = $3, error = $4, ended_at = $5 WHERE n = $1',
          [n, status, answer, error === undefined ? null : JSON.stringify(error), at],
        );
        // An execution that stores nothing (P25.5) leaves nothing after its sends.
        change.run(
          `DELETE FROM sends WHERE n = $1
             AND NOT EXISTS (SELECT 1 FROM step_runs WHERE step_runs.execution = sends.execution)`,
          [n],
        );
      }),
  };
}

function outcomeOf(done: Done | undefined, at: number) {
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
