import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readExports } from '../../../../src/component/script/bash.ts';
import { eachLine } from '../../../../src/component/script/lines.ts';

describe('$PIPEDREAM_EXPORTS', () => {
  test.for([
    ['', []],
    ['\n\n', []],
    ['no export', []],
    ['a=1\n', [['a', '1']]],
    ['a=1', [['a', '1']]],
    [
      'a=1\r\nb=2\r\n',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a=b=c\n', [['a', 'b=c']]],
    ['a=\n', [['a', '']]],
    ['$summary=done\n', [['$summary', 'done']]],
    [
      'a=1\ntwo\n  three=3\n\nb=2\n',
      [
        ['a', '1\ntwo\n  three=3\n'],
        ['b', '2'],
      ],
    ],
    ['a:json={\n"b": [1,\n2]}\n', [['a', { b: [1, 2] }]]],
    ['a:json="x=y"\n', [['a', 'x=y']]],
    ['a:json=null\n', [['a', null]]],
    // Lines that look like exports, and are the end of base64.
    [
      'cert=-----BEGIN X-----\nQUJD\nQUJDRA==\n-----END X-----\nb=2\n',
      [
        ['cert', '-----BEGIN X-----\nQUJD\nQUJDRA==\n-----END X-----'],
        ['b', '2'],
      ],
    ],
    [
      'two=-----BEGIN X-----\nQQ==\n-----END X-----\n-----BEGIN Y-----\nQQ==\n-----END Y-----\nQQ==\n',
      [
        [
          'two',
          '-----BEGIN X-----\nQQ==\n-----END X-----\n-----BEGIN Y-----\nQQ==\n-----END Y-----',
        ],
        ['QQ', '='],
      ],
    ],
    [
      `a=${'QUJD'.repeat(19)}\nQUJDRA==\nb=2\n`,
      [
        ['a', `${'QUJD'.repeat(19)}\nQUJDRA==`],
        ['b', '2'],
      ],
    ],
    [
      'a=1\nb==\n',
      [
        ['a', '1'],
        ['b', '='],
      ],
    ],
  ] as const)('%j', ([text, exports]) => {
    expect(readExports(text)).toEqual(exports);
  });

  test('what is not JSON is named', () => {
    expect(() => readExports('a=1\nb:json={\n')).toThrow(/^The export b is not JSON/);
  });
});

describe('lines', () => {
  const linesOf = async (...chunks: Buffer[]): Promise<string[]> => {
    const lines: string[] = [];
    await eachLine(Readable.from(chunks, { objectMode: false }), (line) => lines.push(line));
    return lines;
  };

  test.for([
    [[], []],
    [['a\nb'], ['a', 'b']],
    [
      ['a\r\n', '\nb\n'],
      ['a', '', 'b'],
    ],
    [
      ['a', 'b', '\n', 'c'],
      ['ab', 'c'],
    ],
    [
      ['a\r', '\nb'],
      ['a', 'b'],
    ],
  ] as const)('%j', async ([chunks, lines]) => {
    expect(await linesOf(...chunks.map((text) => Buffer.from(text)))).toEqual(lines);
  });

  test('a character that is cut by a chunk stays whole', async () => {
    const bytes = Buffer.from('ä😀\n');
    const chunks = [...bytes].map((byte) => Buffer.from([byte]));
    expect(await linesOf(...chunks)).toEqual(['ä😀']);
  });

  test('a line of 20 MB in small pieces is read in one', async () => {
    const chunk = Buffer.alloc(16 * 1024, 'x');
    const [line, ...more] = await linesOf(...Array.from({ length: 1280 }, () => chunk));
    expect([line?.length, more]).toEqual([1280 * 16 * 1024, []]);
  });
});
