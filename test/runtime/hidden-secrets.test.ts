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
