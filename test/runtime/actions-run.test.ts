import { describe, expect, test } from 'vitest';
import type { Account, ActionRun } from '../../src/protocol/catalogue.ts';
import { startReceiver } from '../support/receiver.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

/** Actions by themselves (P13), through REST. */
const runtime = useRuntime(['--set', 'run.timeoutSeconds=2']);

let files = 0;
const post = async (code: string, more: object = {}) => {
  files += 1;
  const component_path = await runtime.file(`action-${files}.mjs`, code);
  return runtime.rest('POST', '/v1/actions/run', { component_path, ...more });
};
const run = async (code: string, more: object = {}): Promise<ActionRun> => {
  const { status, body } = await post(code, more);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as { data: ActionRun }).data;
};
const texts = ({ logs }: ActionRun) => logs.map((line) => line.text);

describe('what comes back', () => {
  test('exports, return value, summary and log lines, under JSON rules', async () => {
    const ran = await run(
      `
      console.log('loading');
      export default { type: 'action', props: { who: 'string' }, async run({ $, steps }) {
        console.log('hello', this.who);
        $.export('$summary', 'Greeted ' + this.who);
        $.export('twice', 1); $.export('twice', 2);
        $.export('when', new Date(0));
        return { from: steps.trigger.event.id, nothing: undefined, f() {}, map: new Map([[1, 2]]) };
      } }`,
      { configured_props: { who: 'you' }, steps: { trigger: { event: { id: 7 } } } },
    );
    expect(ran).toMatchObject({
      exports: { $summary: 'Greeted you', twice: 2, when: '1970-01-01T00:00:00.000Z' },
      return_value: { from: 7, map: {} },
      summary: 'Greeted you',
    });
    expect(ran.error).toBeUndefined();
    expect(texts(ran)).toEqual(['loading', 'hello you']);
  });

  test('nothing returned, nothing exported', async () => {
    expect(await run(`export default { type: 'action', run() {} }`)).toEqual({
      id: expect.stringMatching(/^arun_\d+$/),
      exports: {},
      return_value: null,
      summary: null,
      logs: [],
    });
  });

  test('what it did before it threw stays, and the error is part of the answer', async () => {
    const ran = await run(`export default { type: 'action', run({ $ }) {
      $.export('done', 'half'); console.log('so far'); throw new RangeError('too much');
    } }`);
    expect(ran).toMatchObject({
      exports: { done: 'half' },
      error: { name: 'RangeError', message: 'too much' },
    });
    expect(ran.error?.stack).toContain('action-');
    expect(texts(ran)).toEqual(['so far']);
  });

  test('a ConfigurationError has no stack', async () => {
    const ran = await run(`export default { type: 'action', run() {
      throw Object.assign(new Error('choose a team'), { name: 'ConfigurationError' });
    } }`);
    expect(ran.error).toEqual({
      name: 'ConfigurationError',
      message: 'choose a team',
      configuration: true,
    });
  });

  test.for([
    ['a loop without end', 'for (;;);', 'Timeout', 'ran longer than 2 s'],
    ['process.exit', 'process.exit(3)', 'ProcessExit', 'called process.exit(3)'],
    [
      'a throw outside of run',
      `setTimeout(() => { throw new Error('late') }); await new Promise(() => {})`,
      'UncaughtError',
      'late',
    ],
  ])('%s ends the action, not the runtime', async ([, code, name, message]) => {
    const ran = await run(`export default { type: 'action', async run({ $ }) {
      console.log('before'); $.export('kept', true); await new Promise(setImmediate); await new Promise(setImmediate);
      ${code}
    } }`);
    expect(ran.error?.name).toBe(name);
    expect(ran.error?.message).toContain(message);
    expect(ran.exports).toEqual({ kept: true });
    expect(texts(ran)).toEqual(['before']);
  });

  test('nesting above 256 levels is refused, 256 are not', async () => {
    const nested = (levels: number) => `export default { type: 'action', run() {
      let value = 1; for (let i = 0; i < ${levels}; i++) value = [value]; return value;
    } }`;
    expect((await run(nested(257))).error?.message).toContain('256 levels');
    expect((await run(nested(256))).error).toBeUndefined();
  });
});

describe('what it is given', () => {
  test('one message per prop, and nothing runs', async () => {
    const { status, body } = await post(
      `
      export default { type: 'action', run() {}, props: {
        text: 'string', count: { type: 'integer', min: 2 }, list: 'string[]', free: { type: 'string', optional: true },
      } }`,
      { configured_props: { count: 1, list: 'x' } },
    );
    expect(status).toBe(400);
    expect((body as { details: { prop: string }[] }).details.map(({ prop }) => prop)).toEqual([
      'text',
      'count',
      'list',
    ]);
  });

  test('additionalProps come first, and their defaults and values reach run', async () => {
    const code = `export default { type: 'action', props: { kind: { type: 'string', reloadProps: true } },
      additionalProps() {
        const more = { mode: { type: 'string', default: 'a', reloadProps: true } };
        return this.mode === 'a' ? { ...more, depth: { type: 'integer', default: 3 }, must: 'string' } : more;
      },
      run() { return { ...this }; } }`;
    const { status, body } = await post(code, { configured_props: { kind: 'k' } });
    expect([status, body]).toMatchObject([400, { error: 'must is required.' }]);
    const ran = await run(code, { configured_props: { kind: 'k', must: 'm', stale: 1 } });
    expect(ran.return_value).toEqual({ kind: 'k', mode: 'a', depth: 3, must: 'm' });
  });

  test('additionalProps that fail stop a run only when one of their props is given', async () => {
    const code = `export default { type: 'action', props: { table: { type: 'string', reloadProps: true } },
      additionalProps() { console.log('looking'); throw new Error('There is no table ' + this.table + '.'); },
      run() { return { ...this }; } }`;
    const failed = 'additionalProps failed: There is no table t.';
    const ran = await run(code, { configured_props: { table: 't' } });
    expect(ran.return_value).toEqual({ table: 't' });
    expect(ran.logs).toMatchObject([
      { level: 'info', text: 'looking' },
      { level: 'warn', text: `${failed} The action runs with the props it declares.` },
    ]);
    const { status, body } = await post(code, { configured_props: { table: 't', column: 'c' } });
    expect([status, body]).toMatchObject([422, { code: 'component_failed', error: failed }]);
    const without = await post(code);
    expect([without.status, without.body]).toMatchObject([400, { error: 'table is required.' }]);
  });

  test('accounts by id; one that does not exist is refused', async () => {
    const account = await runtime.restData<Account>('POST', '/v1/accounts', {
      app: 'slack',
      credentials: { token: 't-1' },
    });
    const code = `const app = { type: 'app', app: 'slack', methods: { token() { return this.$auth.token } } };
      export default { type: 'action', props: { app }, run() { return this.app.token() } }`;
    const ran = await run(code, { configured_props: { app: { authProvisionId: account.id } } });
    expect(ran.return_value).toBe('t-1');
    const { status } = await post(code, {
      configured_props: { app: { authProvisionId: 'apn_0000000' } },
    });
    expect(status).toBe(404);
  });

  test('a source is no action, and code may come as text', async () => {
    expect((await post(`export default { run() {} }`)).body).toMatchObject({
      error: expect.stringContaining('is a source; deploy it'),
    });
    const ran = await runtime.restData<ActionRun>('POST', '/v1/actions/run', {
      component_code: `export default { type: 'action', run() { return 5 } }`,
    });
    expect(ran.return_value).toBe(5);
  });
});

describe('$ outside of a workflow', () => {
  test('flow and respond return what they return on the platform, and the log says they had no effect', async () => {
    const ran = await run(`export default { type: 'action', async run({ $ }) {
      await $.respond({ status: 200 });
      const urls = [$.flow.delay(1000), $.flow.suspend(), $.flow.rerun(10, { a: 1 }, 3)];
      $.send.email({ subject: 's' });
      return [$.context, $.files, urls.every((u) => URL.canParse(u.resume_url) && URL.canParse(u.cancel_url)),
        $.flow.exit('enough'), typeof this.$emit];
    } }`);
    expect(ran.return_value).toEqual([null, null, true, null, 'undefined']);
    expect(texts(ran)).toEqual([
      expect.stringMatching(/^\$\.respond needs a workflow/),
      expect.stringMatching(/^\$\.flow\.delay needs a workflow/),
      expect.stringMatching(/^\$\.flow\.suspend needs/),
      expect.stringMatching(/^\$\.flow\.rerun needs/),
      expect.stringMatching(/^\$\.send\.email needs/),
      '$.flow.exit: enough',
    ]);
  });

  test('$.send.http goes out when the step is over, also when it failed', async () => {
    const receiver = await startReceiver({ answer: () => ({ status: 201 }) });
    const url = `${receiver.url}/in`;
    const ran = await run(`export default { type: 'action', run({ $ }) {
      $.send.http({ method: 'POST', url: '${url}', params: { a: 1 }, data: { x: 1 }, auth: { username: 'u', password: 'p' } });
      $.send.http({ method: 'GET', url: 'http://127.0.0.1:1/' });
      throw new Error('after all');
    } }`);
    const authorization = `Basic ${btoa('u:p')}`;
    expect(receiver.received).toMatchObject([
      { method: 'POST', url: '/in?a=1', headers: { authorization }, body: '{"x":1}' },
    ]);
    expect(ran.error?.message).toBe('after all');
    expect(texts(ran)).toEqual([
      `$.send.http: POST ${url}?a=1 was answered with 201.`,
      expect.stringMatching(/^\$\.send\.http: GET http:\/\/127\.0\.0\.1:1\/ failed: /),
    ]);
    const wrong = await run(
      `export default { type: 'action', run({ $ }) { $.send.http({ method: 'POST' }) } }`,
    );
    expect(wrong.error?.message).toMatch(/^\$send\.http: invalid value/);
  });
});

test('a run that nobody waits for any longer is ended', async () => {
  const gone = new AbortController();
  const component_path = await runtime.file(
    'endless.mjs',
    `export default { type: 'action', run() { for (;;); } }`,
  );
  const connection = await runtime.connect();
  const running = connection.call(
    'actions.run',
    { component_path },
    {
      signal: gone.signal,
      progress: (step) => {
        if (step === 'Running') gone.abort();
      },
    },
  );
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  await until('its end', async () => {
    const { hosts } = await connection.call('runtime.info', {});
    return hosts.every((host) => host.in_flight === 0);
  });
});
