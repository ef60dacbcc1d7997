/** REST with the key, whatever is asked: an answer in its shape, in time, never an error of ours. */
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import type { Source } from '../../src/protocol/catalogue.ts';
import { catalogue } from '../../src/protocol/schemas/catalogue.ts';
import { allRoutes } from '../../src/runtime/api/routes.ts';
import { holds } from '../support/holds.ts';
import { useRuntime } from '../support/runtime.ts';
import { anyValue, oddText } from './support/messages.ts';
import { ask, expectServing, unlessGone } from './support/served.ts';

const runtime = useRuntime(['--set', 'run.timeoutSeconds=5']);

const code = `export default {
  name: 'Fed', dedupe: 'unique',
  props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 3600 } }, db: '$.service.db', text: { type: 'string', optional: true } },
  run(event) { this.db.set('k', event); console.log(event); this.$emit(event, { id: JSON.stringify(event) }); },
}`;

/** What there is to ask for: at first, and as answers tell of more. */
const known: string[] = [];
let file = '';

beforeAll(async () => {
  file = await runtime.file('fed.mjs', code);
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: file });
  known.push(source.id, source.name_slug, 'db', 'http', '/nowhere.mjs', file);
  await ask(source.endpoint_url!, { method: 'POST' }, '{"a":1}');
  const made = async (path: string, body: object) => {
    const { id } = await runtime.restData<{ id: string }>('POST', path, body);
    known.push(id);
  };
  await made('/v1/webhooks', { url: 'http://127.0.0.1:9/' });
  await made('/v1/data_stores', { name: 'Kept' });
  await made('/v1/accounts', { app: 'some_app', name: 'mine', credentials: { token: 't' } });
});

/** Read when it is used: more is known by then. */
const knownValue = fc.nat().map((place) => known[place % Math.max(1, known.length)] ?? 'none');
const plain = fc.oneof(
  { weight: 3, arbitrary: knownValue },
  fc.constantFrom<unknown>(
    0,
    1,
    -1,
    1e21,
    9007199254740992,
    'true',
    'false',
    true,
    false,
    null,
    [],
    {},
    '1',
    '-1',
    '1e3',
    '0x10',
    ' ',
    '2026-01-01T00:00:00Z',
    'succeeded',
    'source',
    'asc',
    'http://127.0.0.1:9/',
    'http://[::1]:9/',
    'file:///etc/passwd',
    'http:///x',
    'export default {',
    'export default { name: "x", run() {} }',
    { intervalSeconds: -1 },
    { cron: '* *' },
  ),
  oddText,
  anyValue.filter((value) => typeof value !== 'bigint'),
);

/** Not asked here: one would look for a place in the network, the other waits half a minute for a debugger. */
const elsewhere = new Set(['component_url', 'debug']);
/** The one that makes what is asked later wait for a debugger is left out. */
const routes = allRoutes().filter(({ name }) => name !== 'debug.start');

function paramsOf(name: keyof typeof catalogue): fc.Arbitrary<Record<string, unknown>> {
  const { input } = catalogue[name];
  const names = Object.keys(input instanceof z.ZodObject ? input.shape : {}).filter(
    (one) => !elsewhere.has(one),
  );
  const fields = Object.fromEntries(names.map((one) => [one, plain]));
  return fc.oneof(
    { weight: 5, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    fc.dictionary(oddText, plain, { maxKeys: 3 }),
  );
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const headers = fc.dictionary(
  fc.constantFrom(
    'content-type',
    'accept',
    'last-event-id',
    'x-pd-notrigger',
    'content-encoding',
    'expect',
    'range',
    'x-y',
    'cookie',
    'if-none-match',
  ),
  fc.oneof(
    fc.constantFrom('application/json', 'gzip', '100-continue', 'bytes=0-1', '*', '1'),
    fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
  ),
  { maxKeys: 3 },
);

const asked: fc.Arbitrary<Asked> = fc.constantFrom(...routes).chain((route) =>
  fc
    .record({
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant<string>(route.method) },
        fc.constantFrom(
          'GET',
          'HEAD',
          'PUT',
          'PATCH',
          'POST',
          'DELETE',
          'OPTIONS',
          'TRACE',
          'PROPFIND',
          'M-SEARCH',
        ),
      ),
      ids: fc.array(
        fc.oneof(
          { weight: 4, arbitrary: knownValue },
          oddText,
          fc.constantFrom(
            '%',
            '%00',
            '..',
            '%2e%2e',
            '%2f',
            '1',
            '-1',
            '1e9',
            '9999999999999999999',
          ),
        ),
        { minLength: 3, maxLength: 3 },
      ),
      tail: fc.constantFrom('', '', '', '/', '//', '/..', ';a', '%'),
      params: paramsOf(route.name),
      inQuery: fc.boolean(),
      query: fc.oneof(
        { weight: 4, arbitrary: fc.constant('') },
        oddText,
        fc.constantFrom(
          'limit=-1',
          'limit=1e9',
          'before=%',
          'include=id',
          'include=,',
          'exclude=id',
          'limit=1&limit=2',
          'q=%22',
          'q=*',
          'q=NEAR',
          '__proto__=1',
        ),
      ),
      headers,
      body: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, oddText, fc.json()),
    })
    .map(({ method, ids, tail, params, inQuery, query, headers: sent, body }) => {
      let at = 0;
      const path = route.path.replaceAll(/\{\w+\}/g, () => encoded(ids[at++] ?? ''));
      const written = inQuery
        ? Object.entries(params).map(
            ([name, value]) => `${encoded(name)}=${encoded(textOf(value))}`,
          )
        : [];
      const search = [...written, ...(query === '' ? [] : [encoded(query, true)])].join('&');
      const json = inQuery ? '' : (safeJson(params) ?? '{}');
      return {
        method,
        path: `${path}${tail}${search === '' ? '' : `?${search}`}`,
        headers: sent,
        body: body ?? json,
      };
    }),
);

test('every request is answered, as documented, and the runtime goes on', async () => {
  await holds(
    fc.asyncProperty(asked, async ({ method, path, headers: sent, body }) => {
      await unlessGone(runtime);
      const answer = await ask(
        runtime.url,
        {
          path,
          method,
          headers: {
            ...sent,
            authorization: `Bearer ${runtime.apiKey}`,
            'content-length': Buffer.byteLength(body),
          },
        },
        body,
      );
      expect({ ...answer, body: String(answer.body) }).not.toMatchObject({ status: 500 });
      if (method !== 'HEAD' && answer.status !== 417) judge(answer.status, answer.body);
      await expectServing(runtime);
    }),
    400,
  );
});

const errorShape = z.strictObject({
  error: z.string().min(1),
  code: z.string().regex(/^[a-z_]+$/),
  details: z.unknown().optional(),
  observations: z.unknown().optional(),
});

function judge(status: number, body: Buffer): void {
  const value: unknown = JSON.parse(String(body));
  if (status >= 400) expect(errorShape.safeParse(value).error?.message).toBeUndefined();
  else remember(value);
}

/** Ids of what was made are asked for later. */
function remember(answer: unknown): void {
  const { data } = answer as { data?: unknown };
  for (const one of [data].flat()) {
    const id: unknown = typeof one === 'object' && one !== null && 'id' in one ? one.id : undefined;
    if (typeof id === 'string' && known.length < 200 && !known.includes(id)) known.push(id);
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (safeJson(value) ?? '');

function safeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A BigInt or a cycle: there is no JSON for it.
    return undefined;
  }
}

/** As a client that knows the rules writes it; at times with what it leaves alone. */
function encoded(text: string, raw = false): string {
  if (raw && /^[\x21-\x7e]*$/.test(text)) return text;
  if (/^(?:%(?:[0-9a-f]{2})?|\.\.)$/i.test(text)) return text;
  return encodeURIComponent(text.toWellFormed());
}
