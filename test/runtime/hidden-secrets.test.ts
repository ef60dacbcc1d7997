/** What components print and throw is kept without the secrets that they were given (P4.11). */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { useRuntime } from '../support/runtime.ts';

const runtime = useRuntime();
const secret = 'topsecretvalue123';
const key = 'key-of-the-account-456';

const props = `secret: { type: 'string', secret: true }, acme: { type: 'app', app: 'acme' }`;
const leaks = `console.log('secret is ' + this.secret); console.error(JSON.stringify(this.acme.$auth));
  throw new Error('refused ' + this.acme.$auth.api_key, { cause: new Error('of ' + this.secret) });`;

test('in actions, sources and hooks: what is logged, and what is thrown', async () => {
  await runtime.weirJson('accounts', 'add', 'acme', '--field', `api_key=${key}`);
  const action = await runtime.file(
    'leak.mjs',
    `export default { key: 'x-leak', name: 'Leak', version: '0.0.1', type: 'action', props: { ${props} },
       run() { ${leaks} } };`,
  );
  const given = ['--prop', `secret=${secret}`];
  const source = await runtime.file(
    'source.mjs',
    `export default { name: 'Leaks', props: { http: '$.interface.http', ${props} }, run() { ${leaks} } };`,
  );
  const hooked = await runtime.file(
    'hooked.mjs',
    `export default { name: 'Hooked', props: { http: '$.interface.http', ${props} },
       hooks: { deploy() { ${leaks} } }, run() {} };`,
  );
  const ran = await runtime.weir('run', action, ...given);
  const kept = await runtime.weir('action-runs');
  const { id } = await runtime.weirJson<Source>('deploy', source, ...given);
  const invoked = await runtime.weir('invoke', id);
  const logs = await runtime.weir('logs', id);
  const failed = await runtime.weir('deploy', hooked, ...given);
  for (const { stdout, stderr } of [ran, kept, invoked, logs, failed]) {
    expect(stdout + stderr).not.toContain(secret);
    expect(stdout + stderr).not.toContain(key);
  }
  for (const { stdout } of [ran, logs]) {
    expect(stdout).toContain('secret is [secret]');
    expect(stdout).toContain('refused [api_key]');
    expect(stdout).toContain('Caused by: Error: of [secret]');
  }
});

test('a call whose argument does nothing is warned of, with its line', async () => {
  const path = await runtime.file(
    'source-ignored.mjs',
    `export default { name: 'Ignored', props: { http: '$.interface.http' },
run() {
  this.$emit();
  this.$emit(1, 'an id');
  this.$emit(2, { ts: 'soon' });
} };`,
  );
  const { id } = await runtime.weirJson<Source>('deploy', path);
  await runtime.weir('invoke', id);
  const { stdout } = await runtime.weir('logs', id);
  expect(stdout).toContain(`$emit was given no event, so that null is emitted. (${path}:3:`);
  expect(stdout).toMatch(/the second argument is a string and no object.*:4:/);
  expect(stdout).toMatch(/ts is not a time.*:5:/);
  const action = await runtime.file(
    'action-ignored.mjs',
    `export default { key: 'x-i', name: 'I', version: '0.0.1', type: 'action',
run({ $ }) { $.export('x', undefined); $.export(); } };`,
  );
  const ran = await runtime.weir('run', action);
  expect(ran.stdout).toContain(`undefined has no JSON form, so nothing is exported. (${action}:2:`);
  expect(ran.stdout).toContain('$.export needs a name');
});

test('an event that a step sends without raw_event is warned of', async () => {
  mkdirSync(join(runtime.folder, 'flow'));
  await runtime.file(
    'flow/step.mjs',
    `export default { key: 'x-s', name: 'S', version: '0.0.1', type: 'action',
run({ $ }) { $.send.emit({ id: 1 }); } };`,
  );
  const file = await runtime.file(
    'flow/workflow.yaml',
    'schema: workflow/2022.04\nname: Flow\nsteps:\n  - namespace: step\n    uses: ./step.mjs\n',
  );
  const ran = await runtime.weir('run', file.replace('/workflow.yaml', ''));
  expect(ran.stdout).toMatch(/\$\.send\.emit was given no raw_event.*step\.mjs:2:/);
});

// P13.15
const idle: [string, RegExp][] = [
  ['$.flow.exit("done", 2)', /\$\.flow\.exit takes \(reason\)/],
  ['$.flow.delay(1, { context: 1 })', /\$\.flow\.delay takes \(ms\)/],
  ['$.flow.suspend(1, { context: 1 })', /\$\.flow\.suspend takes \(timeoutMs\)/],
  ['$.flow.rerun(1, () => 1)', /\$\.flow\.rerun: the context is a function/],
  ['$.flow.rerun(1, {}, 1, 4)', /\$\.flow\.rerun takes \(delayMs, context, maxRetries\)/],
  ['$.flow.refreshTimeout(5000)', /\$\.flow\.refreshTimeout takes no argument/],
  ['$.flow.trigger("p_none", () => 1).catch(() => 0)', /\$\.flow\.trigger: the payload is a func/],
  ['$.respond({ statusCode: 201 })', /\$\.respond: "statusCode" does nothing/],
  ['$.respond("text")', /respond: it takes \{status, headers, body\}/],
  ['$.export("x", 1, 2)', /\$\.export takes \(name, value\)/],
  ['$.send.emit({ raw_event: 1, id: 2 })', /\$\.send\.emit: "id" does nothing/],
  ['$.send.emit({ raw_event: 1, delivery_ts: "soon" })', /\$\.send\.emit: delivery_ts is not a/],
  ['$.send.sse({ channel: "c", payload: 1, event: 2 })', /\$\.send\.sse: "event" does nothing/],
  ['$.send.http({ url: "http://x.invalid", json: {} })', /\$\.send\.http: "json" does nothing/],
  ['$.send.http({ url: "http://x.invalid", headers: "a: b" })', /headers is a string/],
  ['$.send.http({ url: "http://x.invalid", data: 1 })', /a GET has no body/],
  ['$.send.email({ subject: "s", text: "t", cc: "a@b.c" })', /\$\.send\.email: "cc" does nothing/],
  ['$.send.email({ subject: "s", text: "t", headers: ["X: 1"] })', /headers is an array/],
  [
    '$.send.email({ subject: "s", text: "t", headers: { Subject: 1 } })',
    /the header "Subject" does/,
  ],
  [
    '$.send.email({ subject: "s", text: "t", headers: { "X-A": null } })',
    /"X-A" does nothing. It h/,
  ],
];

test('an argument of a call of $ that does nothing is warned of, with its line', async () => {
  const calls = idle.map(([call], n) => `  if (n === ${n}) { ${call}; }`).join('\n');
  const right = `$.flow.exit('r'); $.flow.delay(1); $.flow.suspend(null, null); $.flow.rerun(1, { a: 1 }, 3);
$.respond({ status: 201, headers: {}, body: 1 }); $.export('x', 1); $.flow.refreshTimeout();
$.send.emit({ raw_event: 1, name: 'n', delivery_ts: 1 }); $.send.sse('c', 1); $.flow.exit();
$.send.email({ subject: 's', text: 't', html: undefined, headers: { 'X-A': 1 } });`;
  mkdirSync(join(runtime.folder, 'idle'));
  await runtime.file(
    'idle/step.mjs',
    `export default { key: 'x-idle', name: 'I', version: '0.0.1', type: 'action',
run({ $ }) { for (let n = 0; n < ${idle.length}; n += 1) {
${calls} } } };`,
  );
  await runtime.file(
    'idle/right.mjs',
    `export default { key: 'x-right', name: 'R', version: '0.0.1', type: 'action', run({ $ }) { ${right} } };`,
  );
  const workflow = (step: string): string =>
    `schema: workflow/2022.04\nname: Idle\nsteps:\n  - namespace: step\n    uses: ./${step}.mjs\n`;
  const file = await runtime.file('idle/workflow.yaml', workflow('step'));
  const { stdout } = await runtime.weir('run', join(file, '..'));
  const warned = stdout.split('\n').filter((line) => line.includes('step.mjs:'));
  for (const [index, [call, expected]] of idle.entries()) {
    const line = warned.find((one) => one.includes(`step.mjs:${index + 3}:`));
    expect(`${call} ${line}`).toMatch(expected);
  }
  await runtime.file('idle/workflow.yaml', workflow('right'));
  expect((await runtime.weir('run', join(file, '..'))).stdout).not.toMatch(/does nothing|takes /);
});

test('a request that is saved as a file has no secret that a run could see', async () => {
  const path = await runtime.file(
    'saved.mjs',
    `export default { name: 'Saved', props: { http: '$.interface.http', ${props} }, run() {} };`,
  );
  await runtime.weirJson('accounts', 'add', 'acme_saved', '--field', `api_key=${key}`);
  const account = await runtime.weirJson<{ id: string }[]>('accounts', 'list');
  const { id, endpoint_url: endpoint } = await runtime.restData<Source & { endpoint_url: string }>(
    'POST',
    '/v1/sources',
    {
      component_path: path,
      configured_props: { secret, acme: { authProvisionId: account[0]?.id } },
    },
  );
  await runtime.weirJson('env', 'set', 'SAVED_VALUE', 'value-of-the-environment');
  const base64 = Buffer.from(`user:${secret}`).toString('base64');
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`pin=${key}`)]);
  const url = `${endpoint}/${secret}?token=abcdefgh&key2=${key}&plain=a%20b`;
  const headers = {
    authorization: 'Bearer x',
    'x-pass': base64,
    'x-env': 'value-of-the-environment',
  };
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ in: secret, n: 1 }) });
  await fetch(url, { method: 'POST', headers, body: bytes });
  const client = await runtime.connect();
  const { data } = await client.call('invocations.list', { id, limit: 10 });
  expect(data).toHaveLength(2);
  for (const { id: invocation_id } of data) {
    const whole = await client.call('invocations.get', { id, invocation_id });
    expect(JSON.stringify(whole.trigger)).toContain(secret);
    const { trigger } = await client.call('invocations.get', {
      id,
      invocation_id,
      shareable: true,
    });
    if (trigger?.kind !== 'http') throw new Error('The request is not kept.');
    const body = Buffer.from(trigger.body, trigger.body_encoding);
    const text = JSON.stringify({ ...trigger, body: body.toString('latin1') });
    for (const hidden of [secret, key, base64, 'value-of-the-environment', 'abcdefgh', 'Bearer'])
      expect(text).not.toContain(hidden);
    expect(trigger.query).toContain('&plain=a%20b');
    expect(trigger.body_bytes).toBe(body.length);
    if (trigger.body_encoding === 'base64') expect([...body.subarray(0, 2)]).toEqual([0xff, 0xfe]);
    else expect(body.toString()).toBe('{"in":"[removed]","n":1}');
  }
});
