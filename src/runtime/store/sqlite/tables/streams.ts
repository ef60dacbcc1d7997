import type { StreamSend } from '../../../../protocol/host-steps.ts';
import {
  keptOfChannel,
  keptOfStream,
  type StreamMessage,
  type StreamTable,
} from '../../history/streams.ts';
import { streamMessages } from '../../schema/history.ts';
import type { EmitterKey } from '../emitter-keys.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';

export interface Streams extends StreamTable {
  /** Within a write: keeps the message, and deletes messages that are too old. */
  insert(key: EmitterKey, send: StreamSend): StreamMessage;
}

export function createStreams({ db, keys }: Engine): Streams {
  const read = (row: Row): StreamMessage => streamMessages.read(row.all(), keys);
  const insert = db.prepare(
    'INSERT INTO stream_messages (emitter, channel, payload) VALUES (?, ?, ?) RETURNING n',
  );
  const trimChannel = db.prepare(
    `DELETE FROM stream_messages WHERE emitter = ?1 AND channel = ?2 AND n <= (
       SELECT n FROM stream_messages WHERE emitter = ?1 AND channel = ?2
       ORDER BY n DESC LIMIT 1 OFFSET ${keptOfChannel})`,
  );
  const trimStream = db.prepare(
    `DELETE FROM stream_messages WHERE emitter = ?1 AND n <= (
       SELECT n FROM stream_messages WHERE emitter = ?1 ORDER BY n DESC LIMIT 1 OFFSET ${keptOfStream})`,
  );
  return {
    insert(key, { channel, payload }) {
      const id = insert.get((row) => row.number('n'), key.row, channel, payload);
      if (id === undefined) throw new Error('The number of a message is missing.');
      trimChannel.run(key.row, channel);
      trimStream.run(key.row);
      return { id, emitterId: key.id, channel, payload };
    },
    after: async (emitterId, channel, id, limit) =>
      channel === undefined
        ? db
            .prepare('SELECT * FROM stream_messages WHERE emitter = ? AND n > ? ORDER BY n LIMIT ?')
            .all(read, keys.get(emitterId)?.row, id, limit)
        : db
            .prepare(
              `SELECT * FROM stream_messages WHERE emitter = ? AND channel = ? AND n > ?
               ORDER BY n LIMIT ?`,
            )
            .all(read, keys.get(emitterId)?.row, channel, id, limit),
  };
}
