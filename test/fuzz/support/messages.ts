/** Messages of a component's process, as the protocol has them and forged. */
import * as fc from 'fast-check';
import type * as z from 'zod';
import type { fromHost } from './protocol-schema.ts';

type Message = z.infer<typeof fromHost>;

/** Text that some store, log or header may not bear: halves of characters, NUL, line ends, quotes. */
export const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      '\0',
      '\ud800',
      '\udc00',
      '\n',
      '\r',
      "'",
      '"',
      '\\',
      '\u2028',
      'é',
      '😀',
      '%',
    ),
  }),
  fc.constantFrom(
    '',
    '{',
    '__proto__',
    'constructor',
    '$errors',
    '$logs',
    'null',
    '1e999',
    'x'.repeat(300),
  ),
);

/** Anything at all that is data. */
export const anyValue = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withObjectString: true,
  withBoxedValues: true,
});

const count = fc.oneof(fc.nat({ max: 3 }), fc.maxSafeNat());
const time = fc.oneof(fc.integer(), fc.constantFrom(0, 1.5, 8.64e15, -8.64e15));
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const bytes = fc.uint8Array({ maxLength: 10 });
/** As `fc.record`, every key but those given left out at times. */
const some = <T, K extends keyof T & string>(
  of: { [P in keyof T]: fc.Arbitrary<T[P]> },
  requiredKeys: K[],
) => fc.record(of, { requiredKeys });

const json = fc.oneof(fc.json(), oddText);
const emit = some(
  {
    event: json,
    id: fc.oneof(oddText, number, fc.constantFrom(Infinity, -Infinity, -0, 5e-324)),
    name: oddText,
    summary: oddText,
    ts: number,
    deliveryTs: number,
    at: time,
  },
  ['event', 'at'],
);
const dbWrite = some({ prop: fc.oneof(oddText, fc.constant('db')), key: oddText, json }, [
  'prop',
  'key',
]);
const line = fc.record({
  at: time,
  level: fc.constantFrom('debug', 'info', 'warn', 'error'),
  text: oddText,
});
const produced = {
  emits: fc.array(emit, { maxLength: 3 }),
  db: fc.array(dbWrite, { maxLength: 3 }),
  logs: fc.array(line, { maxLength: 3 }),
  exports: fc.array(fc.record({ name: oddText, json }), { maxLength: 2 }),
};
export const error = some(
  { name: oddText, message: oddText, stack: oddText, configuration: fc.boolean() },
  ['name', 'message'],
);

const headerName = fc.constantFrom(
  'x-a',
  'Content-Type',
  'content-length',
  'trailer',
  'set-cookie',
  'te',
  'date',
  'x!#$',
);
const headerValue = fc.oneof(
  fc.constantFrom('', 'a', 'chunked', '99999', 'text/plain; charset=utf-16', 'é', '\t'),
  fc.string({ unit: 'grapheme-ascii' }),
);
const response = fc.record({
  status: fc.integer({ min: 100, max: 599 }),
  headers: fc.dictionary(headerName, headerValue, { maxKeys: 3 }),
  body: fc.oneof(oddText, bytes),
});

const ttl = fc.oneof(fc.constant(null), number);
const call = fc.oneof(
  fc.record({ op: fc.constantFrom('get', 'has', 'delete'), key: oddText }),
  fc.record({ op: fc.constant('set'), key: oddText, json, ttl }),
  fc.record({ op: fc.constant('setTtl'), key: oddText, ttl }),
  fc.record({ op: fc.constantFrom('clear', 'keys', 'entries') }),
  fc.record({ op: fc.constant('page'), after: fc.oneof(fc.constant(null), oddText) }),
);
const request = fc.oneof(
  fc.record({ of: fc.constant('data_store'), store: fc.oneof(oddText, fc.constant('ds_x')), call }),
  fc.record({
    of: fc.constant('file'),
    filename: oddText,
    contentType: headerValue,
    content: fc.oneof(bytes, oddText, fc.constant('/etc/hostname')),
  }),
  fc.record({ of: fc.constant('workflow'), id: oddText }),
  fc.record({ of: fc.constant('respond'), n: count, response }),
);

/** A message that keeps to the protocol, whatever it says. @param n of the work it speaks of */
export const messageOf = (n: fc.Arbitrary<number>): fc.Arbitrary<Message> =>
  fc.oneof(
    fc.record({ t: fc.constantFrom('ready', 'attached') }),
    fc.record({ t: fc.constant('loaded'), definition: json }),
    fc.record({ t: fc.constant('loadFailed'), error }),
    some({ t: fc.constant('progress'), n, ...produced }, ['t', 'n']),
    some({ t: fc.constant('done'), n, error, result: json, ...produced }, ['t', 'n']),
    fc.record({ t: fc.constant('respond'), n, response }),
    fc.record({ t: fc.constant('refreshTimeout'), n }),
    fc.record({
      t: fc.constant('inspector'),
      url: fc.constantFrom(null, 'ws://127.0.0.1:1/a', 'ws://127.0.0.1:99999/0-_a'),
    }),
    fc.record({ t: fc.constant('request'), id: count, request }),
    some(
      {
        t: fc.constant('ending'),
        n: fc.oneof(fc.constant(null), n),
        cause: fc.constantFrom('exit', 'uncaught'),
        message: oddText,
        stack: oddText,
      },
      ['t', 'n', 'cause', 'message'],
    ),
  );

export const anyMessage = messageOf(count);

/** A message with something in it replaced, left out or put in. @param values what is put in */
export const forgedOf = (
  message: fc.Arbitrary<unknown>,
  values: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> =>
  fc
    .tuple(message, fc.array(fc.nat(), { maxLength: 4 }), values, fc.nat({ max: 4 }))
    .map(([valid, way, value, kind]) => forge(valid, way, value, kind));

const oddValue = fc.constantFrom<unknown>(
  Number.NaN,
  Infinity,
  -1,
  0.5,
  2 ** 53,
  null,
  undefined,
  '',
  [],
  {},
  new Uint8Array(1),
  new Date(0),
  { length: 1 },
  [null],
  'data_store',
  '\n',
  -0,
  1n,
);

export const forged = forgedOf(anyMessage, fc.oneof(anyValue, oddValue));

/** Walks into the value, each number taking the next turn, and changes what is there. */
function forge(
  target: unknown,
  [turn, ...way]: readonly number[],
  value: unknown,
  kind: number,
): unknown {
  if (turn === undefined || typeof target !== 'object' || target === null) return value;
  if (ArrayBuffer.isView(target)) return value;
  const names = Object.keys(target);
  const name = names[turn % Math.max(1, names.length)] ?? 'new';
  const copy = (Array.isArray(target) ? [...(target as unknown[])] : { ...target }) as Record<
    string,
    unknown
  >;
  if (kind === 0) delete copy[name];
  else if (kind === 1 && !Array.isArray(target)) copy['extra'] = value;
  else copy[name] = forge(copy[name], way, value, kind);
  return copy;
}
