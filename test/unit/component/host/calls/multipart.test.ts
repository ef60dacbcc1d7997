import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formFields, queryFields } from '../../../../../src/component/host/calls/form-fields.ts';
import { readMultipart } from '../../../../../src/component/host/calls/multipart.ts';

const type = 'multipart/form-data; boundary=w1';
const field = (text: string | Buffer, contentType = type) =>
  readMultipart(Buffer.isBuffer(text) ? text : Buffer.from(text), contentType)?.map((part) =>
    part.filename === undefined
      ? [part.name, part.text]
      : [part.name, part.filename, part.contentType, part.content.toString('latin1')],
  );
const form = (head: string, text: string, newline = '\r\n') =>
  ['--w1', `Content-Disposition: form-data; ${head}`, '', text, '--w1--', ''].join(newline);

describe('what clients send', () => {
  test.each<[string, string, string, string[][] | undefined]>([
    ['a text', type, form('name="a"', '1'), [['a', '1']]],
    ['a preamble and an epilogue', type, `hello\r\n${form('name="a"', '1')}bye`, [['a', '1']]],
    ['a name without quotes', type, form('name=a', '1'), [['a', '1']]],
    ['blanks around the sign', type, form('name = "a"', '1'), [['a', '1']]],
    ['lines that end with LF', type, form('name="a"', '1\n2', '\n'), [['a', '1\n2']]],
    ['an empty value', type, form('name="a"', ''), [['a', '']]],
    [
      'blanks behind a boundary',
      type,
      form('name="a"', '1').replaceAll('--w1\r\n', '--w1 \t\r\n'),
      [['a', '1']],
    ],
    ['no last boundary', type, form('name="a"', '1').replace('--w1--\r\n', ''), [['a', '1']]],
    ['nothing', type, '--w1--\r\n', []],
    [
      'a boundary within a line of a value',
      'multipart/form-data; boundary=xy',
      '--xy\r\nContent-Disposition: form-data; name="a"\r\n\r\nq--xyq\r\n--xy--\r\n',
      [['a', 'q--xyq']],
    ],
    [
      'another boundary that begins alike',
      type,
      form('name="a"', '1\r\n--w10\r\n2'),
      [['a', '1\r\n--w10\r\n2']],
    ],
    [
      'a boundary in quotes',
      'Multipart/Form-Data; charset=utf-8; Boundary="w1"',
      form('name="a"', '1'),
      [['a', '1']],
    ],
    ['a header that goes on', type, form('\r\n name="a"', '1'), [['a', '1']]],
    [
      'a file',
      type,
      form('name="f"; filename="a"; size=3', 'abc'),
      [['f', 'a', 'text/plain', 'abc']],
    ],
    [
      'the file name first',
      type,
      form('filename="a.txt"; name="f"', 'x'),
      [['f', 'a.txt', 'text/plain', 'x']],
    ],
    [
      'a file name of RFC 8187',
      type,
      form(`name="f"; filename="e.txt"; filename*=UTF-8''%e2%82%ac.txt`, 'x'),
      [['f', '€.txt', 'text/plain', 'x']],
    ],
    [
      'only such a one',
      type,
      form(`name="f"; filename*=iso-8859-1'en'%A3.txt`, 'x'),
      [['f', '£.txt', 'text/plain', 'x']],
    ],
    [
      'escaped quotes',
      type,
      form('name="a\\"b"; filename="c%22d"', 'x'),
      [['a"b', 'c"d', 'text/plain', 'x']],
    ],
    [
      'a path',
      type,
      form('name="f"; filename="C:\\temp\\a.txt"', 'x'),
      [['f', 'C:\\temp\\a.txt', 'text/plain', 'x']],
    ],
    ['base64', type, form('name="a"\r\nContent-Transfer-Encoding: BASE64', 'aMOp'), [['a', 'hé']]],
    [
      'quoted-printable',
      type,
      form('name="a"\r\nContent-Transfer-Encoding: quoted-printable', 'h=C3=A9=\r\n100%25'),
      [['a', 'hé100%25']],
    ],
    ['a part without a name', type, form('filename="x"', '1'), undefined],
    ['no boundary', 'multipart/form-data', form('name="a"', '1'), undefined],
    ['another boundary', 'multipart/form-data; boundary=z', form('name="a"', '1'), undefined],
  ])('%s', (_, contentType, body, expected) => {
    expect(field(body, contentType)).toEqual(expected);
  });

  test('bytes of a file stay as they are', () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 119, 13, 10, 255, 13, 10]);
    const [head, tail] = form('name="f"; filename="b"\r\nContent-Type: image/png', '|').split('|');
    const body = Buffer.concat([Buffer.from(head!), bytes, Buffer.from(tail!)]);
    expect(readMultipart(body, type)).toMatchObject([{ contentType: 'image/png', content: bytes }]);
  });
});

describe('charsets of parts', () => {
  const latin = (head: string, before = '') =>
    Buffer.from(`${before}${form(head, 'Gr\u00fc\u00dfe')}`, 'latin1');
  test('of the part itself', () => {
    const body = latin('name="a"\r\nContent-Type: text/plain; charset=iso-8859-1');
    expect(field(body)).toEqual([['a', 'Grüße']]);
  });
  test('of the field _charset_', () => {
    const said = '--w1\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\nwindows-1252\r\n';
    expect(field(latin('name="\u00fc"', said))).toEqual([
      ['_charset_', 'windows-1252'],
      ['ü', 'Grüße'],
    ]);
  });
  test('of the request', () => {
    expect(field(latin('name="a"'), `${type}; charset=iso-8859-1`)).toEqual([['a', 'Grüße']]);
  });
  test('UTF-8 otherwise, and where nobody knows it', () => {
    const body = form('name="é"\r\nContent-Type: text/plain; charset=none-such', 'Grüße');
    expect(field(body)).toEqual([['é', 'Grüße']]);
  });
});

describe('forms', () => {
  const fields = (body: string | Buffer, charset?: string) => {
    const content = Buffer.from(body);
    return formFields(content, content.toString(), charset);
  };
  test.each<[string, string | undefined, object]>([
    ['city=K%F6ln&name=J%f6rg', 'iso-8859-1', { city: 'Köln', name: 'Jörg' }],
    ['city=K%F6ln', 'windows-1252', { city: 'Köln' }],
    ['a=%93%FA%96%7B', 'shift_jis', { a: '日本' }],
    ['%93%FA=1', 'Shift_JIS', { 日: '1' }],
    ['_charset_=windows-1252&euro=%80', undefined, { _charset_: 'windows-1252', euro: '€' }],
    ['_charset_=UTF-8&a=%C3%B6', undefined, { _charset_: 'UTF-8', a: 'ö' }],
    ['a=%C3%B6', 'none-such', { a: 'ö' }],
    ['a=1+2&&b&c=x%3Dy=z&a=%zz', 'iso-8859-1', { a: ['1 2', '%zz'], b: '', c: 'x=y=z' }],
    ['__proto__=1&__proto__=2', 'iso-8859-1', JSON.parse('{"__proto__":["1","2"]}') as object],
  ])('%s in %s', (body, charset, expected) => {
    expect(fields(body, charset)).toEqual(expected);
  });
  test('raw bytes of a charset', () => {
    expect(fields(Buffer.from('city=K\u00f6ln', 'latin1'), 'iso-8859-1')).toEqual({ city: 'Köln' });
  });
});

// Beyond ASCII only escapes: Node's own decoder confuses a character beside a broken escape.
test('queries are read as URLSearchParams reads them', () => {
  const token = fc.constantFrom(
    'a',
    'b',
    '=',
    '&',
    '+',
    '%',
    '%20',
    '%C3%B6',
    '%F6',
    '%2',
    '%zz',
    '?',
    '%00',
    '%EF%BB%BF',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 20 }), (tokens) => {
      const query = tokens.join('');
      const expected = new Map<string, string[]>();
      // A leading question mark is not part of a query here.
      for (const [name, value] of new URLSearchParams(`?${query}`))
        expected.set(name, [...(expected.get(name) ?? []), value]);
      expect(queryFields(query)).toEqual(
        Object.fromEntries(
          [...expected].map(([name, all]) => [name, all.length === 1 ? all[0] : all]),
        ),
      );
    }),
  );
});

test('a name that is repeated 262,143 times takes no longer than the reading', () => {
  const begun = performance.now();
  const { a } = queryFields('a&'.repeat(262_143));
  const ms = performance.now() - begun;
  expect((a as unknown[]).length).toBe(262_143);
  // It took half a minute while each value copied the list.
  expect(ms).toBeLessThan(2000);
});

test.each([
  ['none', 'X-Other: 1', 'text/plain'],
  ['an empty one', 'Content-Type:', 'application/octet-stream'],
  ['control characters', 'Content-Type: text/plain\0', 'application/octet-stream'],
  ['letters that no header has', 'Content-Type: é/x', 'application/octet-stream'],
  ['parameters', 'Content-Type: text/csv; charset=utf-8', 'text/csv; charset=utf-8'],
])('the type of a file can be a header, whatever a client sends: %s', (_, head, expected) => {
  const disposition = 'Content-Disposition: form-data; name="f"; filename="a"';
  const body = Buffer.from(`--b\r\n${disposition}\r\n${head}\r\n\r\nhi\r\n--b--\r\n`);
  const [part] = readMultipart(body, 'multipart/form-data; boundary=b') ?? [];
  expect(part?.contentType).toBe(expected);
});
