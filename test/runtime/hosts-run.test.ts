import { expect, test } from 'vitest';
import { emitted, emittedOn, event, hostsFor, perform, request, start } from './hosts-helper.ts';

/** The pieces of a component that are called, and what each of them gets. */
const hosts = await hostsFor();
const emits = emittedOn(hosts);

const app = `{ type: 'app', app: 'slack', methods: { token() { return this.$auth.token; } } }`;

test('a source is loaded, configured and run', async () => {
  const { host } = await start(
    hosts,
    `export default {
      name: 'Greeter', key: 'x-greeter', version: '0.0.1', dedupe: 'unique',
      props: { db: '$.service.db', name: 'string', http: { type: '$.interface.http', customResponse: true } },
      methods: { greet() { return 'hello ' + this.name; } },
      async run(event) {
        console.log('run', event.body.x, { a: 1 });
        const { greet, http: { respond } } = this;
        respond({ status: '201', body: { ok: true } });
        this.db.set('n', (this.db.get('n') ?? 0) + 1);
        this.$emit({ text: greet(), n: this.db.get('n') }, { id: 7, summary: 'S', ts: new Date(5) });
      },
    }`,
    { props: { name: 'you' }, endpoints: { http: 'http://e/h' }, db: { db: { n: '41' } } },
  );
  expect(host.definition).toMatchObject({ name: 'Greeter', type: 'source', hasRun: true });
  const outcome = await perform(host, request('{"x":1}', { 'content-type': 'application/json' }));
  expect(emitted(outcome)).toEqual([{ text: 'hello you', n: 42 }]);
  expect(outcome.emits[0]).toMatchObject({ id: 7, summary: 'S', ts: 5 });
  expect(outcome.db).toEqual([{ prop: 'db', key: 'n', json: '42' }]);
  expect(outcome.logs).toMatchObject([{ level: 'info', text: 'run 1 { a: 1 }' }]);
  expect(outcome.responses).toEqual([
    { status: 201, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' },
  ]);
  // The line leaves at once, all else with the end.
  expect(outcome.messages).toBe(2);
});

test('what was thrown comes with the stack of the component', async () => {
  const { host } = await start(hosts, 'export default { run() { throw new TypeError("no"); } }');
  const { error } = await perform(host, event());
  expect(error).toMatchObject({ name: 'TypeError', message: 'no' });
  expect(error?.stack).toMatch(/component-\d+\.mjs:1:\d+/);
  expect(error?.stack).not.toContain('component-host.js');
});

test('hooks run on an instance of their own, may emit and use the db, and see the endpoint', async () => {
  const { host } = await start(
    hosts,
    `export default { props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' },
      hooks: {
        async deploy() { this.$emit({ at: this.http.endpoint }, { id: 1 }); },
        activate() { this.db.set('hookId', 5); this.http.respond({ status: 200 }); },
        async deactivate() { throw Object.assign(new Error('key is missing'), { name: 'ConfigurationError' }); },
      }, run() {} }`,
    { endpoints: { http: 'http://127.0.0.1:1/h/hi_1' } },
  );
  expect(host.definition.hooks).toEqual(['deploy', 'activate', 'deactivate']);
  const deploy = await perform(host, { call: 'hook', hook: 'deploy' });
  expect(emitted(deploy)).toEqual([{ at: 'http://127.0.0.1:1/h/hi_1' }]);
  const activate = await perform(host, { call: 'hook', hook: 'activate' });
  expect(activate).toMatchObject({ db: [{ key: 'hookId', json: '5' }], responses: [] });
  const deactivate = await perform(host, { call: 'hook', hook: 'deactivate' });
  expect(deactivate.error).toEqual({
    name: 'ConfigurationError',
    message: 'key is missing',
    configuration: true,
  });
});

test('values that only additionalProps declares are on this', async () => {
  const code = `export default { props: { a: 'string' }, additionalProps() { return {}; }, run() { this.$emit([Object.keys(this), this.http?.endpoint]); } }`;
  const props = { a: 'x', header_1: { __lv: { label: 'L', value: 'h' } } };
  expect(await emits(code, { props })).toEqual([[['a', 'header_1'], null]]);
  const propSet = [
    { name: 'header_1', type: 'string' },
    { name: 'a', type: 'string' },
    { name: 'http', type: '$.interface.http' },
  ];
  const endpoints = { http: 'http://e' };
  expect(await emits(code, { props, propSet, endpoints })).toEqual([
    [['header_1', 'a', 'http'], 'http://e'],
  ]);
});

test('a source without run emits the event that triggered it', async () => {
  const { host } = await start(
    hosts,
    `export default { props: { timer: { type: '$.interface.timer', default: { cron: '0 * * * *' } } } }`,
  );
  const trigger = {
    kind: 'timer',
    prop: 'timer',
    timestamp: 1_700_000_000,
    intervalSeconds: 60,
  } as const;
  expect(emitted(await perform(host, { call: 'run', trigger }))).toEqual([
    { timestamp: 1_700_000_000, interval_seconds: 60 },
  ]);
});

test('an action has $ and no $emit; what it exports and returns comes back', async () => {
  const { host } = await start(
    hosts,
    `export default { type: 'action', props: { app: ${app} }, async run({ steps, $ }) {
      $.export('$summary', 'done ' + steps.trigger.event.x + typeof this.$emit);
      const loop = { big: 1n, at: new Date(0) }; loop.self = loop;
      $.export('loop', loop); $.export('nothing', undefined);
      await $.respond({ status: 200 });
      if (steps.exit) return $.flow.exit('enough');
      return { token: this.app.token(), loop };
    } }`,
    { props: { app: { authProvisionId: 'apn_1' } }, accounts: { apn_1: { token: 't' } } },
  );
  const loop = { big: '1', at: '1970-01-01T00:00:00.000Z', self: '[Circular]' };
  const outcome = await perform(host, { call: 'action', steps: { trigger: { event: { x: 1 } } } });
  expect(outcome.exports.map(({ name, json }) => [name, JSON.parse(json)])).toEqual([
    ['$summary', 'done 1undefined'],
    ['loop', loop],
  ]);
  expect(JSON.parse(outcome.result ?? 'null')).toEqual({ token: 't', loop });
  const left = await perform(host, {
    call: 'action',
    steps: { trigger: { event: {} }, exit: true },
  });
  expect(left.result).toBeUndefined();
  expect(left.logs).toMatchObject([
    { level: 'warn', text: expect.stringMatching(/^\$\.export\("nothing"\): undefined has no/) },
    { level: 'warn', text: expect.stringMatching(/^\$\.respond needs a workflow/) },
    { level: 'info', text: '$.flow.exit: enough' },
  ]);
});

test('process.env shows the source and hides the user', async () => {
  process.env['WEIR_TEST_SECRET'] = 'x';
  const results = await emits(
    `export default { run() { this.$emit([process.env.PD_COMPONENT, process.env.WEIR_TEST_SECRET ?? 'hidden', typeof process.env.PATH, process.env.NODE_OPTIONS ?? 'none', typeof process.send]); } }`,
  );
  delete process.env['WEIR_TEST_SECRET'];
  expect(results).toEqual([['dc_test123', 'hidden', 'string', 'none', 'undefined']]);
});

test('an HTTP run gets the request', async () => {
  const { host } = await start(
    hosts,
    `export default { props: { http: '$.interface.http' }, run(event) { this.$emit(event); } }`,
    { endpoints: { http: 'http://e' } },
  );
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-a': 'b' };
  const work = request('{"é":[1]}', headers, { path: '/p', query: 'a=1&b=2&b=3' });
  expect(emitted(await perform(host, work))).toEqual([
    {
      method: 'POST',
      path: '/p',
      query: { a: '1', b: ['2', '3'] },
      headers,
      bodyRaw: '{"é":[1]}',
      body: { é: [1] },
      url: 'http://127.0.0.1:9999/h/hi_1234567/p?a=1&b=2&b=3',
      client_ip: '127.0.0.1',
    },
  ]);
});

test('values arrive as they were given, whatever their names and characters', async () => {
  const value = JSON.parse(
    '{"__proto__": {"a": 1}, "toString": [null, -0, 1e21], "\\ud800": "\\ud800é😀"}',
  ) as object;
  const { host } = await start(
    hosts,
    `export default { type: 'action', run({ steps }) { return { ...steps, negative: Object.is(steps.value.toString[1], -0) }; } }`,
  );
  const { result } = await perform(host, { call: 'action', steps: { value } });
  expect(result).toBe(`{"value":${JSON.stringify(value)},"negative":true}`);
});

test('what is nested too deeply for a message fails the work that it is for, and nothing else', async () => {
  const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const { host } = await start(hosts, `export default { type: 'action', run() { return 'ran'; } }`);
  const run = async (value: unknown) => {
    const { error, result } = await perform(host, { call: 'action', steps: { value } });
    return error?.message ?? result;
  };
  const tooDeep =
    'A value for it is nested more than 1000 levels deep; a component can be given no such value.';
  expect([await run(deep(900)), await run(deep(10_000)), await run(1)]).toEqual([
    '"ran"',
    tooDeep,
    '"ran"',
  ]);
  const configured = { accounts: {}, endpoints: {}, db: {} };
  host.configure({ ...configured, props: { deep: deep(10_000) } });
  expect([await run(1), await run(2)]).toEqual([tooDeep, tooDeep]);
  host.configure({ ...configured, props: {} });
  expect(await run(1)).toBe('"ran"');
});
