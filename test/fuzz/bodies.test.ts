/** What a component sees of a body, beside what was sent; forms by `FormData`, encodings by `node:zlib`. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { holds } from '../support/holds.ts';
import { useRuntime } from '../support/runtime.ts';
import { oddText } from './support/messages.ts';
import { type Answer, ask, expectServing, unlessGone } from './support/served.ts';

const runtime = useRuntime();
let endpoint: URL;

interface Seen {
  readonly bodyRaw: string;
  readonly bodyBase64?: string;
  readonly body?: unknown;
  readonly query: Record<string, unknown>;
}

beforeAll(async () => {
  const path = await runtime.file(
    'shows.mjs',
    `export default { name: 'Shows', props: { http: { type: '$.interface.http', customResponse: true } }, run({ bodyRaw, bodyBase64, body, query }) { this.http.respond({ status: 200, body: { bodyRaw, bodyBase64, body, query } }); } }`,
  );
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  endpoint = new URL(source.endpoint_url!);
});

const posted = (headers: Record<string, string>, body: Uint8Array): Promise<Answer> =>
  ask(endpoint, { method: 'POST', headers: { ...headers, 'content-length': body.length } }, body);

async function seen(headers: Record<string, string>, body: Uint8Array): Promise<Seen> {
  const { status, body: answer } = await posted(headers, body);
  expect({ status, answer: String(answer) }).toMatchObject({ status: 200 });
  return JSON.parse(String(answer)) as Seen;
}

/** P7.7, P7.47: wherever the component finds them. */
const receivedBy = ({ bodyBase64, bodyRaw }: Seen) =>
  bodyBase64 === undefined ? Buffer.from(bodyRaw) : Buffer.from(bodyBase64, 'base64');

type Encode = (content: Uint8Array) => Buffer;
const codings: Readonly<Record<string, Encode>> = {
  gzip: (content) => gzipSync(content),
  'x-gzip': (content) => gzipSync(content, { level: 1 }),
  deflate: (content) => deflateSync(content),
  Deflate: (content) => deflateRawSync(content),
  br: (content) => brotliCompressSync(content),
};
const encoding = fc.array(fc.constantFrom(...Object.keys(codings)), { maxLength: 3 });

/** In the order in which they were applied, as the header lists them. */
const encodedAs = (content: Uint8Array, names: readonly string[]) =>
  names.reduce<Uint8Array>((bytes, name) => codings[name]!(bytes), content);
const withEncoding = (names: readonly string[]) =>
  names.length === 0 ? {} : { 'content-encoding': names.join(', ') };

test('the bytes of any body stay reachable', async () => {
  const type = fc.constantFrom(
    '',
    'application/json',
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=a',
    'text/plain; charset=utf-16',
    'text/xml; charset="shift_jis"',
    'application/json; charset=latin1',
    'text/plain; charset=nonsense',
    'a; charset=',
    'image/png',
  );
  const said = fc.constantFrom(
    '',
    'identity',
    'utf-8',
    'zstd',
    'gzip,gzip,gzip,gzip,gzip',
    'compress',
  );
  await holds(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      type,
      encoding,
      said,
      async (content, contentType, names, other) => {
        await unlessGone(runtime);
        const body = encodedAs(content, names);
        const headers = {
          ...(contentType !== '' && { 'content-type': contentType }),
          ...(names.length > 0
            ? withEncoding(names)
            : other !== '' && { 'content-encoding': other }),
        };
        expect(receivedBy(await seen(headers, body))).toEqual(Buffer.from(body));
      },
    ),
    150,
  );
});

/** Charsets of one byte a character, read backwards: each character that some byte stands for. */
const single = [
  'windows-1252',
  'iso-8859-2',
  'iso-8859-15',
  'koi8-r',
  'windows-1251',
  'ibm866',
  'macintosh',
  'windows-874',
];
const tables = new Map(
  single.map((charset) => {
    const decoder = new TextDecoder(charset);
    const bytes = Array.from(
      { length: 256 },
      (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const,
    );
    return [charset, new Map(bytes.filter(([char]) => char !== '\uFFFD'))] as const;
  }),
);

interface Written {
  readonly charset: string;
  readonly text: string;
  readonly bytes: Buffer;
}
const inOneByte: fc.Arbitrary<Written> = fc.constantFrom(...single).chain((charset) => {
  const table = tables.get(charset)!;
  return fc.array(fc.constantFrom(...table.keys()), { maxLength: 40 }).map((chars) => ({
    charset,
    text: chars.join(''),
    bytes: Buffer.from(chars.map((char) => table.get(char)!)),
  }));
});
/** A mark at the beginning is no part of the text in UTF-16, so none is written. */
const unicode = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((text) => text.replace(/^\uFEFF/, ''));
const inUnicode: fc.Arbitrary<Written> = fc
  .tuple(fc.constantFrom('utf-8', 'UTF8', 'utf-16le', 'utf-16be', 'utf-16'), unicode)
  .map(([charset, text]) => {
    const bytes = Buffer.from(text, /16/.test(charset) ? 'utf16le' : 'utf8');
    return { charset, text, bytes: charset === 'utf-16be' ? bytes.swap16() : bytes };
  });

test('text is read in its charset, whatever it was packed in', async () => {
  const written = fc.oneof(inOneByte, inUnicode);
  const form = fc.constantFrom(
    (one: string) => `; charset=${one}`,
    (one: string) => `;charset="${one.toUpperCase()}"`,
    (one: string) => `; a=b; Charset = ${one}`,
  );
  await holds(
    fc.asyncProperty(written, form, encoding, async ({ charset, text, bytes }, said, names) => {
      await unlessGone(runtime);
      const body = encodedAs(bytes, names);
      const answer = await seen(
        { 'content-type': `text/plain${said(charset)}`, ...withEncoding(names) },
        body,
      );
      expect(answer.bodyRaw).toBe(text);
      expect(answer.body).toBe(text === '' ? undefined : text);
      expect(receivedBy(answer)).toEqual(Buffer.from(body));
    }),
    150,
  );
});

test('JSON is parsed in any charset that holds it', async () => {
  const charset = fc.constantFrom('', 'utf-8', 'utf-16le', 'utf-16');
  await holds(
    fc.asyncProperty(
      fc.jsonValue(),
      charset,
      fc.boolean(),
      encoding,
      async (value, name, marked, names) => {
        await unlessGone(runtime);
        const text = `${marked ? '\uFEFF' : ''}${JSON.stringify(value)}`;
        const body = encodedAs(
          Buffer.from(text, name.startsWith('utf-16') ? 'utf16le' : 'utf8'),
          names,
        );
        const type = `application/json${name === '' ? '' : `; charset=${name}`}`;
        const answer = await seen({ 'content-type': type, ...withEncoding(names) }, body);
        // Through JSON, as it comes back: -0 is 0.
        expect(answer.body).toEqual(JSON.parse(JSON.stringify(value)));
      },
    ),
    150,
  );
});

const fieldName = fc.oneof(
  fc.constantFrom('a', 'b', 'file'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', 'a"b', 'a[]', ' '),
);
const fieldText = fc.oneof(
  unicode,
  oddText.map((text) => text.toWellFormed()),
);

/** By name, those that come several times as a list (P7.6). */
function grouped(all: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const names = new Map<string, unknown[]>();
  for (const [name, value] of all) names.set(name, [...(names.get(name) ?? []), value]);
  return JSON.parse(
    `{${[...names].map(([name, values]) => `${JSON.stringify(name)}:${JSON.stringify(values.length === 1 ? values[0] : values)}`).join(',')}}`,
  ) as Record<string, unknown>;
}

test('fields of a form and of a query are those that were written', async () => {
  await holds(
    fc.asyncProperty(fc.array(fc.tuple(fieldName, fieldText), { maxLength: 6 }), async (fields) => {
      await unlessGone(runtime);
      const written = new URLSearchParams(fields).toString();
      const answer = await ask(
        new URL(`?${written}`, endpoint),
        { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        written,
      );
      const { body, query } = JSON.parse(String(answer.body)) as Seen;
      expect(query).toEqual(grouped(fields));
      expect(body).toEqual(fields.length === 0 ? undefined : grouped(fields));
    }),
    100,
  );
});

interface Attached {
  readonly name: string;
  readonly filename: string;
  readonly type: string;
  readonly content: Uint8Array;
}
const attached: fc.Arbitrary<Attached> = fc.record({
  name: fieldName,
  filename: fc.oneof(fieldName, fc.constantFrom('a.txt', '../up', 'a/b', 'é漢😀.bin', 'C:\\a')),
  type: fc.constantFrom(
    '',
    'text/plain',
    'application/octet-stream',
    'image/svg+xml; charset=utf-8',
    'x/y; a="b c"',
  ),
  content: fc.uint8Array({ maxLength: 60 }),
});
const part = fc.oneof(fc.tuple(fieldName, fieldText), attached);

/** As a browser writes it: with line ends of its own kind. */
const lineEnds = (text: string) => text.replaceAll(/\r\n|\r|\n/g, '\r\n');

function formOf(parts: readonly ([string, string] | Attached)[]): FormData {
  const form = new FormData();
  for (const one of parts) {
    if (Array.isArray(one)) form.append(one[0], one[1]);
    else
      form.append(one.name, new File([Buffer.from(one.content)], one.filename, { type: one.type }));
  }
  return form;
}

async function packed(parts: readonly ([string, string] | Attached)[]) {
  const whole = new Response(formOf(parts));
  return {
    type: whole.headers.get('content-type')!,
    bytes: Buffer.from(await whole.arrayBuffer()),
  };
}

test('a multipart form has the fields and files that were put into it', async () => {
  await holds(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      encoding,
      async (parts, names) => {
        await unlessGone(runtime);
        const { type, bytes } = await packed(parts);
        const answer = await seen(
          { 'content-type': type, ...withEncoding(names) },
          encodedAs(bytes, names),
        );
        const files: { url: string; content: Uint8Array }[] = [];
        const take = (value: unknown, { content }: Attached): unknown => {
          const { url, ...rest } = value as { url: string };
          files.push({ url, content });
          return rest;
        };
        const shown = structuredClone(answer.body) as Record<string, unknown>;
        const places = new Map<string, number>();
        const expected = parts.map((one) => {
          const name = lineEnds(Array.isArray(one) ? one[0] : one.name);
          const place = places.get(name) ?? 0;
          places.set(name, place + 1);
          if (Array.isArray(one)) return [name, lineEnds(one[1])] as const;
          const all = Object.getOwnPropertyDescriptor(shown, name)?.value as unknown;
          const value = Array.isArray(all) ? (all as unknown[])[place] : all;
          const rest = take(value, one);
          if (Array.isArray(all)) (all as unknown[])[place] = rest;
          else Object.defineProperty(shown, name, { value: rest, enumerable: true });
          return [
            name,
            {
              filename: one.filename,
              mimetype: new File([], '', { type: one.type }).type || 'application/octet-stream',
            },
          ] as const;
        });
        expect(shown).toEqual(grouped(expected));
        for (const { url, content } of files) {
          expect((await ask(url, {})).body).toEqual(Buffer.from(content));
        }
      },
    ),
    100,
  );
});

test('a broken form is a request like another', async () => {
  const mutations = fc.array(
    fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 6 }),
      put: fc.oneof(
        fc.uint8Array({ maxLength: 4 }),
        fc.constantFrom(
          '\r\n',
          '--',
          '"',
          ';',
          "filename*=utf-8''%",
          'filename="',
          '\r\nContent-Type: é\0/x',
          'Content-Transfer-Encoding: base64\r\n',
        ),
      ),
    }),
    { minLength: 1, maxLength: 4 },
  );
  await holds(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 3 }),
      mutations,
      async (parts, all) => {
        await unlessGone(runtime);
        const { type, bytes } = await packed(parts);
        const broken = all.reduce((whole, { at, remove, put }) => {
          const place = at % (whole.length + 1);
          return Buffer.concat([
            whole.subarray(0, place),
            Buffer.from(put as Uint8Array),
            whole.subarray(place + remove),
          ]);
        }, bytes);
        expect(receivedBy(await seen({ 'content-type': type }, broken))).toEqual(broken);
        await expectServing(runtime);
      },
    ),
    150,
  );
});
