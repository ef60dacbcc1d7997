import { expect, test } from 'vitest';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { junitText } from '../../../../../src/cli/views/junit.ts';
import { differences } from '../../../../../src/runtime/workflows/tests/compare.ts';
import { maskOf } from '../../../../../src/protocol/mask.ts';
import { outcomeOf } from '../../../../../src/runtime/workflows/tests/outcome.ts';
import { removed } from '../../../../../src/protocol/secret-shapes.ts';
import { shareableEvent } from '../../../../../src/runtime/components/recordings/shareable.ts';
import { readTest } from '../../../../../src/runtime/workflows/tests/test-file.ts';

test.each([
  ['the same', { a: 1, b: [1, { c: null }] }, { a: 1, b: [1, { c: null }] }, []],
  ['more than is expected', { a: 1 }, { a: 1, b: 2 }, []],
  [
    'another value, deep',
    { a: { 'odd key': [0, { x: 1 }] } },
    { a: { 'odd key': [0, { x: 2 }] } },
    ['a["odd key"][1].x'],
  ],
  ['less than is expected', { a: { b: 1 } }, {}, ['a']],
  ['a shorter list', [1, 2], [1], ['length']],
  ['a longer list', { l: [1] }, { l: [1, 2] }, ['l.length']],
  ['any value', { a: { $any: true } }, { a: null }, []],
  ['any value, and none', { a: { $any: true } }, {}, ['a']],
  ['a type', { a: { $type: 'list' }, b: { $type: 'string' } }, { a: [], b: 'x' }, []],
  ['another type', { a: { $type: 'string' } }, { a: 1 }, ['a']],
  ['a pattern', { a: { $match: '^ord_' } }, { a: 'ord_1' }, []],
  ['not the pattern', { a: { $match: '^ord_' } }, { a: 'x' }, ['a']],
  ['text and number', { a: '1' }, { a: 1 }, ['a']],
])('compared: %s', async (_, expected, got, paths) => {
  expect((await differences(expected, got)).map(({ path }) => path)).toEqual(paths);
});

test('what is wrong with a test stands at its line', () => {
  const found = readTest('event: {}\nexpekt: {}\nexpect:\n  status: fine\n  steps: []\n');
  expect('wrong' in found && found.wrong.map(({ line, message }) => `${line} ${message}`)).toEqual([
    expect.stringMatching(/^2 "expekt" is not known here/),
    expect.stringMatching(/^4 .*status.* must be one of/),
    expect.stringMatching(/^5 .*steps.* must be a mapping/),
  ]);
  expect(readTest('a: [')).toHaveProperty('wrong');
  expect(readTest('expect: { status: succeeded }')).toHaveProperty('test');
  expect(readTest('expect: { status: crashed }')).toHaveProperty('test');
});

test('a matcher that can never fit is told, and so is an empty file', () => {
  const text = `expect:
  steps:
    a: { x: { $match: "(" }, y: { $type: nubmer }, z: [{ $any: false }], $return_value: { $match: "^a" } }
`;
  const found = readTest(text);
  expect('wrong' in found && found.wrong.map(({ line, message }) => `${line} ${message}`)).toEqual([
    expect.stringMatching(/^3 "\$match" must be a regular expression: .*\(/),
    expect.stringMatching(/^3 "\$type" must be one of "string", .*"list"/),
    '3 "$any" must be true.',
  ]);
  const empty = readTest('');
  expect('wrong' in empty && empty.wrong[0]?.message).toBe(
    'The file is empty: it needs "expect" at least.',
  );
});

test('what is sent is expected with what is in its payload', async () => {
  const outcome = outcomeOf({
    status: 'succeeded',
    error: null,
    steps: [],
    response: null,
    sends: [
      {
        id: 'send_1',
        path: 'tell',
        kind: 'sse',
        status: 'not_sent',
        sent: { channel: 'orders', payload: '{"id":7}' },
        answer: null,
        error: null,
        created_at: 1,
        ended_at: null,
      },
    ],
  });
  const expected = [{ step: 'tell', kind: 'sse', channel: 'orders', payload: { id: 7 } }];
  expect(outcome.sends).toEqual(expected);
  expect(await differences({ sends: [{ payload: { id: 8 } }] }, outcome)).toMatchObject([
    { path: 'sends[0].payload.id', expected: 8, got: 7 },
  ]);
});

const mask = maskOf({ API_TOKEN: 'hunter2-hunter2' });

test('an event that goes into a file is left without what signs its sender in', () => {
  const event = {
    headers: { Authorization: 'Basic dTpw', cookie: 'sid=1', 'x-hub-signature': 'sha1=00' },
    query: { token: 't', q: 'tea' },
    url: 'https://a.example/x?token=t&q=tea',
    body: { deep: [{ key: 'hunter2-hunter2', gh: `ghp_${'a'.repeat(36)}` }], plain: 1 },
  };
  const { value, hidden } = shareableEvent(event, mask);
  expect(value).toEqual({
    headers: { Authorization: removed, cookie: removed, 'x-hub-signature': 'sha1=00' },
    query: { token: removed, q: 'tea' },
    url: `https://a.example/x?token=${encodeURIComponent(removed)}&q=tea`,
    body: { deep: [{ key: '[API_TOKEN]', gh: removed }], plain: 1 },
  });
  expect(hidden).toEqual([
    'event.headers.Authorization',
    'event.headers.cookie',
    'event.query.token',
    'event.body.deep.0.key',
    'event.body.deep.0.gh',
  ]);
  expect(shareableEvent({ a: 1, url: 'not a url?token=1' }, mask)).toEqual({
    value: { a: 1, url: 'not a url?token=1' },
    hidden: [],
  });
  expect(shareableEvent('hunter2-hunter2', mask).value).toBe('[API_TOKEN]');
});

test('JUnit escapes what others wrote, and leaves out what XML cannot hold', () => {
  const text = junitText([
    {
      file: '/a/<b>.test.yaml',
      name: 'a "b" & <c>',
      subject: 'w',
      passed: false,
      updated: false,
      execution_id: null,
      differences: [{ path: 'steps.a', expected: 'x\u0001]]>', got: undefined }],
      duration_ms: 1500,
      error: null,
    },
  ]);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    htmlEntities: true,
  });
  expect(XMLValidator.validate(text)).toBe(true);
  expect(parser.parse(text)).toMatchObject({
    testsuites: {
      tests: '1',
      failures: '1',
      errors: '0',
      testsuite: {
        name: 'w',
        testcase: {
          name: 'a "b" & <c>',
          classname: 'w',
          time: '1.500',
          failure: {
            message: 'steps.a differs',
            '#text': 'steps.a\n  expected "x\\u0001]]>"\n  got      nothing',
          },
        },
      },
    },
  });
});
