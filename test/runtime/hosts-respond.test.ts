import { expect, test } from 'vitest';
import { event, hostsFor, perform, request, start, type Outcome } from './hosts-helper.ts';

/** `this.http.respond` (P7.24 to P7.33) in a real host. */
const hosts = await hostsFor();

async function respond(code: string, work = request('')): Promise<Outcome> {
  const { host } = await start(
    hosts,
    `export default { props: { http: { type: '$.interface.http', customResponse: true }, plain: '$.interface.http' }, async run() { ${code} } }`,
    { endpoints: { http: 'http://e', plain: 'http://p' } },
  );
  return perform(host, work);
}

test.for([
  ['this.http.respond({ status: 204 })', { status: 204, headers: {}, body: '' }],
  [
    'const { http } = this; http.respond({ status: "201", body: "x" })',
    { status: 201, headers: {}, body: 'x' },
  ],
  [
    'const { respond } = this.http; return respond({ body: 7 })',
    { status: 200, headers: {}, body: '7' },
  ],
  ['await this.http.respond({ statusCode: 404 })', { status: 200, headers: {}, body: '' }],
  ['this.http.respond()', { status: 200, headers: {}, body: '' }],
  [
    'this.http.respond({ status: 200, headers: { "X-A": 1, gone: undefined, list: ["a", "b"] }, body: { a: 1 } })',
    {
      status: 200,
      headers: { 'X-A': '1', list: 'a, b', 'content-type': 'application/json' },
      body: '{"a":1}',
    },
  ],
  [
    'this.http.respond({ headers: { "Set-Cookie": ["a=1; Expires=Sun, 01 Nov 2026", 2], accept: ["a", "b"] } })',
    {
      status: 200,
      headers: { 'Set-Cookie': ['a=1; Expires=Sun, 01 Nov 2026', '2'], accept: 'a, b' },
      body: '',
    },
  ],
  [
    'this.http.respond({ status: 200, headers: { "Content-Type": "text/x" }, body: [1] })',
    { status: 200, headers: { 'Content-Type': 'text/x' }, body: '[1]' },
  ],
] as const)('%s', async ([code, response]) => {
  expect((await respond(code)).responses).toEqual([response]);
});

test('bytes stay bytes', async () => {
  const { responses } = await respond(
    'this.http.respond({ status: 200, body: Buffer.from([0, 255]) })',
  );
  expect(Buffer.from(responses[0]?.body ?? '')).toEqual(Buffer.from([0, 255]));
});

test('the first answer wins and the run goes on', async () => {
  const outcome = await respond(
    'this.http.respond({ status: 200 }); this.http.respond({ status: 500 }); await null; this.$emit("after");',
  );
  expect(outcome.responses).toEqual([{ status: 200, headers: {}, body: '' }]);
  expect(outcome.emits).toMatchObject([{ event: '"after"' }]);
});

test('a respond that is kept answers its own request', async () => {
  const { host } = await start(
    hosts,
    `const waiting = [];
    export default { props: { http: { type: '$.interface.http', customResponse: true } }, async run(event) {
      const { respond } = this.http;
      await new Promise((resolve) => { waiting.push(() => { respond({ status: 200, body: event.body }); resolve(); }); if (waiting.length === 3) waiting.reverse().forEach((go) => go()); });
    } }`,
    { endpoints: { http: 'http://e' } },
  );
  const outcomes = await Promise.all(['a', 'b', 'c'].map((body) => perform(host, request(body))));
  expect(outcomes.map(({ responses }) => responses[0]?.body)).toEqual(['a', 'b', 'c']);
});

test('nothing waits: no custom response, another trigger, an ended run', async () => {
  expect((await respond('this.plain.respond({ status: 200 })')).responses).toEqual([]);
  expect(
    (await respond('this.plain.respond({})', request('', {}, { prop: 'plain' }))).responses,
  ).toEqual([]);
  const byHand = await respond('this.http.respond({ status: 200 })', event());
  expect(byHand).toMatchObject({ responses: [] });
  expect(byHand.error).toBeUndefined();
});

test.for([100, 101, 103, 199])(
  'P7.40 status %i ends no response: 200, and the log says so',
  async (status) => {
    const { responses, logs } = await respond(
      `this.http.respond({ status: ${status}, body: 'x' })`,
    );
    expect(responses).toEqual([{ status: 200, headers: {}, body: 'x' }]);
    expect(logs).toMatchObject([
      {
        level: 'warn',
        text: `respond: status ${status} cannot end a response, so that the caller gets 200. Give one from 200 to 599.`,
      },
    ]);
  },
);

test.for([
  ['{ status: 99 }', 'respond: status must be a number from 100 to 599, not 99.'],
  ['{ status: "ok" }', 'respond: status must be a number from 100 to 599, not ok.'],
  ['{ headers: { "a b": 1 } }', 'Header name must be a valid HTTP token ["a b"]'],
])('what HTTP cannot carry fails the run: %s', async ([response, message]) => {
  expect((await respond(`this.http.respond(${response})`)).error?.message).toBe(message);
});
