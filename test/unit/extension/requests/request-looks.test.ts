import { describe, expect, test, vi } from 'vitest';
import {
  coloursOfAnswer,
  coloursOfRequests,
} from '../../../../src/extension/requests/request-colours.ts';
import { completionsAt } from '../../../../src/extension/requests/request-completion.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

/** Each coloured part with its colour. */
const read = (text: string, colour: typeof coloursOfAnswer) =>
  colour(text).map(
    ({ line, from, length, type }) =>
      `${type}: ${(text.split(/\r?\n/)[line] ?? '').slice(from, from + length)}`,
  );

test('colours of requests', () => {
  const text =
    '@a = 1\n### One\r\nPOST {{a}}/x\ncontent-type: application/json\n\n{"b": [-1.5e3, "c\\"", true]}\n';
  expect(read(text, coloursOfRequests)).toEqual([
    'variable: @a',
    'string: 1',
    'comment: ### One',
    'keyword: POST',
    'string: {{a}}/x',
    'property: content-type',
    'string: application/json',
    'property: "b"',
    'number: -1.5e3',
    'string: "c\\""',
    'keyword: true',
  ]);
  expect(read('http://x\n\n{"a": 1}', coloursOfRequests)).toEqual(['string: http://x']);
});

test('colours of an answer', () => {
  const text = '# GET x\nHTTP/1.1 200 OK\nContent-Type: application/json\n\n{\n  "a": null\n}\n';
  expect(read(text, coloursOfAnswer)).toEqual([
    'comment: # GET x',
    'keyword: HTTP/1.1',
    'number: 200 OK',
    'property: Content-Type',
    'string: application/json',
    'property: "a"',
    'keyword: null',
  ]);
});

describe('what can be written', () => {
  const at = (text: string) => {
    const before = text.slice(0, text.indexOf('|'));
    const line = before.split('\n').length - 1;
    const all = completionsAt(text.replace('|', ''), line, before.split('\n')[line] ?? '');
    return all.map((one) => one.text);
  };
  test.each([
    ['a method where a request begins', '@a = 1\n\nP|', 'POST'],
    ['a header below it', 'POST http://x\nc|', 'content-type'],
    ['its value', 'POST http://x\ncontent-type: |', 'application/json'],
    ['a variable', '@a = 1\nPOST {{|', 'a'],
    ['a made one in a body', 'POST http://x\n\n{"id": "{{|', '$uuid'],
  ])('%s', (_, text, one) => {
    expect(at(text)).toContain(one);
  });

  test('nothing in a body or a comment', () => {
    expect(at('POST http://x\n\nc|')).toEqual([]);
    expect(at('# c|')).toEqual([]);
  });
});
