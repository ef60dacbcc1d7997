import { expect, test } from 'vitest';
import { Outbox } from '../../../../../src/component/host/channel/outbox.ts';
import { Invocation } from '../../../../../src/component/host/output/invocation.ts';
import type { Batch, FromHost } from '../../../../../src/protocol/host.ts';
import { decode } from '../../../../../src/protocol/message-pack/decode.ts';

function setUp(): {
  outbox: Outbox;
  clock: { now: number };
  sent: Batch<FromHost>[];
  acknowledge: (() => void)[];
  last: Batch<FromHost>[];
} {
  const sent: Batch<FromHost>[] = [];
  const acknowledge: (() => void)[] = [];
  const last: Batch<FromHost>[] = [];
  const clock = { now: 0 };
  const outbox = new Outbox(
    {
      send(batch, taken) {
        sent.push(batch);
        acknowledge.push(taken);
      },
      sendFinal: (bytes) => last.push(...(decode(Buffer.from(bytes)) as Batch<FromHost>[])),
    },
    () => clock.now,
  );
  return { outbox, clock, sent, acknowledge, last };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const emit = (text: string): { event: string; at: number } => ({ event: text, at: 0 });

test('a turn is one batch, in order, and what an invocation still has is sent with its end', async () => {
  const { outbox, sent } = setUp();
  const first = new Invocation(1, outbox, null);
  const second = new Invocation(2, outbox, null);
  first.emit(emit('1'));
  second.respond({ status: 200, headers: {}, body: '' });
  second.emit(emit('2'));
  outbox.postDone(second, {});
  expect(sent).toEqual([]);
  await turn();
  expect(sent).toEqual([
    {
      q: 1,
      m: [
        { t: 'respond', n: 2, response: { status: 200, headers: {}, body: '' } },
        { t: 'done', n: 2, emits: [emit('2')] },
        { t: 'progress', n: 1, emits: [emit('1')] },
      ],
    },
  ]);
  await turn();
  expect(sent).toHaveLength(1);
});

test('64 KB do not wait for the end of the turn', () => {
  const { outbox, sent } = setUp();
  const invocation = new Invocation(1, outbox, null);
  invocation.emit(emit('x'.repeat(40_000)));
  expect(sent).toHaveLength(0);
  invocation.emit(emit('x'.repeat(30_000)));
  expect(sent).toHaveLength(1);
});

test('a line leaves at once unless one has within 100 ms, with what was before it', async () => {
  const { outbox, clock, sent } = setUp();
  const invocation = new Invocation(1, outbox, null);
  const print = (text: string) => invocation.log({ at: 0, level: 'info', text });
  const lines = () =>
    sent.map(({ m }) =>
      m.map((message) => (message.t === 'progress' ? message.logs?.map(({ text }) => text) : [])),
    );
  invocation.emit(emit('1'));
  expect(sent).toHaveLength(0);
  print('first');
  expect(sent).toEqual([
    {
      q: 1,
      m: [
        {
          t: 'progress',
          n: 1,
          emits: [emit('1')],
          logs: [{ at: 0, level: 'info', text: 'first' }],
        },
      ],
    },
  ]);
  clock.now = 99;
  print('second');
  expect(sent).toHaveLength(1);
  clock.now = 100;
  print('third');
  expect(lines()).toEqual([[['first']], [['second', 'third']]]);
  clock.now = 150;
  print('fourth');
  await turn();
  expect(lines()).toEqual([[['first']], [['second', 'third']], [['fourth']]]);
});

test('the final flush repeats what the system has not taken, and ends with the last message', () => {
  const { outbox, sent, acknowledge, last } = setUp();
  const invocation = new Invocation(1, outbox, null);
  for (const text of ['taken', 'waiting', 'new']) {
    invocation.emit(emit(text));
    if (text !== 'new') outbox.flush();
  }
  acknowledge[0]?.();
  const ending = { t: 'ending', n: 1, cause: 'exit', message: 'called process.exit()' } as const;
  outbox.flushFinal(ending);
  expect(sent).toHaveLength(2);
  expect(last).toEqual([
    sent[1],
    { q: 3, m: [{ t: 'progress', n: 1, emits: [emit('new')] }, ending] },
  ]);
});
