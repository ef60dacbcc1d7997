import type { StreamSend } from '../../../../protocol/host-steps.ts';
import {
  keptOfChannel,
  keptOfStream,
  type StreamMessage,
  type StreamTable,
} from '../../history/streams.ts';
import type { Change } from '../change.ts';
import type { OwnedKey } from '../emitter-keys.ts';
import type { Engine } from '../engine.ts';
import { streamMessages } from '../../schema/history.ts';

export interface Streams extends StreamTable {
  /** Within a write: keeps the message, and deletes messages that are too old. */
  insert(change: Change, key: OwnedKey, send: StreamSend): StreamMessage;
}

export function createStreams({ keys, numbers, read }: Engine): Streams {
  return {
    insert(change, key, { channel, payload }) {
      const id = numbers.next();
      change.run(
        'INSERT INTO stream_messages (emitter, n, channel, payload) VALUES ($1, $2, $3, $4)',
        [key.row, id, channel, payload],
      );
      change.run(
        `DELETE FROM stream_messages WHERE emitter = $1 AND channel = $2 AND n <= (
           SELECT n FROM stream_messages WHERE emitter = $1 AND channel = $2
           ORDER BY n DESC LIMIT 1 OFFSET ${keptOfChannel})`,
        [key.row, channel],
      );
      change.run(
        `DELETE FROM stream_messages WHERE emitter = $1 AND n <= (
           SELECT n FROM stream_messages WHERE emitter = $1
           ORDER BY n DESC LIMIT 1 OFFSET ${keptOfStream})`,
        [key.row],
      );
      return { id, emitterId: key.id, channel, payload };
    },
    after: async (emitterId, channel, id, limit) =>
      (
        await read(
          `SELECT * FROM stream_messages WHERE emitter = $1 AND n > $2
             AND ($3::text IS NULL OR channel = $3) ORDER BY n LIMIT $4`,
          [keys.rowOf(emitterId), id, channel, limit],
        )
      ).map((row) => streamMessages.read(row, keys)),
  };
}
