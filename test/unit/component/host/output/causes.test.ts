import { expect, test } from 'vitest';
import { messageWithCauses } from '../../../../../src/protocol/error-causes.ts';
import { thrownError } from '../../../../../src/component/host/output/thrown.ts';

function make(message: string, options: { cause?: unknown; stack?: string } = {}): Error {
  const error = new Error(message, 'cause' in options ? { cause: options.cause } : {});
  error.stack = `Error: ${message}\n    at ${message} (/c/a.mjs:1:2)\n    at node:internal/x:1:1`;
  return error;
}

const stackOf = (thrown: unknown): string => thrownError(thrown).stack ?? '';

test('each cause stands below, with the lines of its author', () => {
  const deep = make('outer', { cause: make('middle', { cause: make('inner') }) });
  expect(stackOf(deep)).toBe(
    [
      'Error: outer',
      '    at outer (/c/a.mjs:1:2)',
      'Caused by: Error: middle',
      '    at middle (/c/a.mjs:1:2)',
      'Caused by: Error: inner',
      '    at inner (/c/a.mjs:1:2)',
    ].join('\n'),
  );
});

test('each error of several stands below, with what is behind it', () => {
  const several = new AggregateError([make('one', { cause: 'a text' }), make('two')], 'both');
  several.stack = 'AggregateError: both';
  expect(stackOf(several)).toBe(
    [
      'AggregateError: both',
      'Error 1 of 2: Error: one',
      '    at one (/c/a.mjs:1:2)',
      "  Caused by: 'a text'",
      'Error 2 of 2: Error: two',
      '    at two (/c/a.mjs:1:2)',
    ].join('\n'),
  );
});

test('a code stands for a message that does not have it', () => {
  const refused = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
  expect(stackOf(make('fetch failed', { cause: refused }))).toContain(
    'Caused by: AggregateError [ECONNREFUSED]',
  );
});

test.each<[string, unknown, string]>([
  ['a number', 5, 'Caused by: 5'],
  ['an object', { code: 5 }, 'Caused by: { code: 5 }'],
  ['false', false, 'Caused by: false'],
  ['something like an error', { message: 'no', name: 'Odd' }, 'Caused by: Odd: no'],
])('a cause that is %s', (_what, cause, line) => {
  expect(stackOf(make('outer', { cause })).split('\n').at(-1)).toBe(line);
});

test('what is no list of errors is not taken for one', () => {
  const invalid = Object.assign(make('invalid'), { errors: ['a', { field: 'b' }] });
  expect(stackOf(invalid)).not.toContain('Error 1 of');
  expect(stackOf(Object.assign(make('odd'), { cause: () => 1 }))).not.toContain('Caused by');
});

test('rings, endless chains and hostile getters end', () => {
  const ring = make('ring');
  ring.cause = new AggregateError([ring, make('other', { cause: ring })]);
  expect(stackOf(ring).match(/Error: ring/g)).toHaveLength(1);
  let chain = make('0');
  for (let n = 1; n < 1000; n += 1) chain = make(`level ${n}`, { cause: chain });
  expect(stackOf(chain).match(/Caused by/g)).toHaveLength(10);
  const wide = new AggregateError(Array.from({ length: 1000 }, (_, n) => make(`n${n}`)));
  expect(stackOf(wide)).toContain('Error 20 of 1000: Error: n19');
  const hostile = Object.defineProperty(make('hostile'), 'cause', {
    get() {
      throw new Error('no');
    },
  });
  expect(stackOf(hostile)).toContain('Error: hostile');
  const proxy = new Proxy(make('x'), {
    get() {
      throw new Error('no');
    },
  });
  expect(stackOf(make('outer', { cause: proxy }))).toContain('Error: outer');
  expect(stackOf(make('long', { cause: make('x'.repeat(200_000)) })).length).toBeLessThan(65_537);
});

test('a wrapper that says all of its cause is not followed by it', () => {
  const cause = make('inner');
  const wrapper = new Error('failed: inner', { cause });
  wrapper.stack = `Error: failed: inner${cause.stack?.slice(cause.stack.indexOf('\n'))}`;
  expect(stackOf(wrapper)).not.toContain('Caused by');
});

test('one sentence names the causes that it does not say already', () => {
  const failed = thrownError(make('fetch failed', { cause: make('connect ECONNREFUSED') }));
  expect(messageWithCauses(failed)).toBe('fetch failed (Error: connect ECONNREFUSED)');
  const said = thrownError(make('it failed: no.', { cause: make('no.') }));
  expect(messageWithCauses(said)).toBe('it failed: no.');
  expect(messageWithCauses({ message: 'plain' })).toBe('plain');
});
