/** What a component's process may send, and the check of it beside a plain schema of the protocol. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { FrameReader, FrameTooLong } from '../../src/protocol/frames.ts';
import { decode, Unreadable } from '../../src/protocol/message-pack/decode.ts';
import { encode } from '../../src/protocol/message-pack/encode.ts';
import {
  asBatch,
  nameOfMessage,
  sizeOfMessage,
  workOf,
} from '../../src/runtime/processes/messages.ts';
import { holds } from '../support/holds.ts';
import { anyMessage, anyValue, forged } from './support/messages.ts';
import { fromHost } from './support/protocol-schema.ts';

test('a message that keeps to the protocol passes, and its size is that of its text', async () => {
  await holds(
    fc.property(anyMessage, (message) => {
      expect(sizeOfMessage(decode(encode(message)))).toBe(plainSize(message));
    }),
    2000,
  );
});

test('a message passes if the protocol has it, and only then', async () => {
  await holds(
    fc.property(forged, (message) => {
      // Plain objects, as those of the channel are; of other classes it has none, and the check takes none.
      const value = structuredClone(message);
      const passes = sizeOfMessage(value) !== undefined;
      expect({ passes }).toEqual({ passes: fromHost.safeParse(value).success });
    }),
    5000,
  );
});

test('of any value all can be asked', async () => {
  await holds(
    fc.property(fc.oneof(anyValue, forged), (value) => {
      expect(sizeOfMessage(value) ?? 0).toBeGreaterThanOrEqual(0);
      expect(nameOfMessage(value)).toMatch(/^a message /);
      expect(workOf(value) ?? 0).toBeGreaterThanOrEqual(0);
      const batch = asBatch(value);
      if (batch !== undefined) expect(Array.isArray(batch.m)).toBe(true);
    }),
    5000,
  );
});

test('frames come whole out of any chunks', async () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });
  await holds(
    fc.property(bodies, fc.array(fc.nat({ max: 50 })), (sent, cuts) => {
      const stream = Buffer.concat(sent.map(framed));
      expect(read(stream, cuts, 40)).toEqual(sent.map((body) => Buffer.from(body)));
    }),
    2000,
  );
});

test('any bytes are frames, or too long', async () => {
  const cuts = fc.array(fc.nat({ max: 50 }));
  await holds(
    fc.property(fc.uint8Array({ maxLength: 200 }), cuts, (bytes, places) => {
      try {
        for (const body of read(Buffer.from(bytes), places, 100)) {
          expect(body.length).toBeLessThanOrEqual(100);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(FrameTooLong);
      }
    }),
    2000,
  );
});

test('bytes of a message with some of them changed are another value, or none', async () => {
  const batch = fc.record({ q: fc.nat(), m: fc.array(anyMessage, { maxLength: 3 }) });
  const change = fc.tuple(fc.nat(), fc.nat({ max: 255 }));
  await holds(
    fc.property(batch, fc.array(change, { minLength: 1, maxLength: 3 }), (sent, changes) => {
      const bytes = encode(sent);
      for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
      try {
        asBatch(decode(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(Unreadable);
      }
    }),
    3000,
  );
});

function framed(body: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** @param cuts lengths of the chunks; the last one is what is left */
function read(stream: Buffer, cuts: readonly number[], longest: number): Buffer[] {
  const reader = new FrameReader(longest);
  const bodies: Buffer[] = [];
  let at = 0;
  for (const length of [...cuts, stream.length]) {
    reader.push(stream.subarray(at, at + length), (body) => bodies.push(Buffer.from(body)));
    at += length;
  }
  return bodies;
}

/** The characters of all text that a run produced, and 100 for each item. */
function plainSize(message: z.infer<typeof fromHost>): number {
  if (message.t !== 'progress' && message.t !== 'done') return 0;
  const { emits = [], db = [], logs = [], exports = [] } = message;
  const texts = [
    ...emits.flatMap(({ event, id, name, summary }) => [event, id, name, summary]),
    ...db.flatMap(({ prop, key, json }) => [prop, key, json]),
    ...logs.map(({ text }) => text),
    ...exports.flatMap(({ name, json }) => [name, json]),
  ].filter((text) => typeof text === 'string');
  const items = emits.length + db.length + logs.length + exports.length;
  return texts.join('').length + items * 100;
}
