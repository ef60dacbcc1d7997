/** What is behind an error: in the answer of an action, the logs of a source, the error of a hook, an execution. */
import { createServer } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ActionRun, Source } from '../../src/protocol/catalogue.ts';
import { useRuntime } from '../support/runtime.ts';

const runtime = useRuntime();

/** Nothing listens there any more. */
let gone: string;
beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  gone = `127.0.0.1:${port}`;
});

const thrower = `throw new Error('outer', { cause: new AggregateError(
  [new Error('one', { cause: { code: 7 } }), new TypeError('two')], 'several') });`;
const expected = [
  'Error: outer',
  'Caused by: AggregateError: several',
  'Error 1 of 2: Error: one',
  'Caused by: { code: 7 }',
  'Error 2 of 2: TypeError: two',
];

async function action(name: string, body: string): Promise<string> {
  return await runtime.file(
    `${name}.mjs`,
    `import http from 'node:http';
export default { name: 'A', key: 'x-a', version: '0.0.1', type: 'action', async run() {
${body}
} }`,
  );
}

test('an action: on the command line and over REST', async () => {
  const path = await action('causes', thrower);
  const ran = await runtime.weir('run', path);
  for (const line of expected) expect(ran.stdout).toContain(line);
  const { data } = (await runtime.rest('POST', '/v1/actions/run', { component_path: path }))
    .body as { data: ActionRun };
  for (const line of expected) expect(data.error?.stack).toContain(line);
});

test.each([
  ['fetch', (at: string) => `await fetch('http://${at}/');`],
  [
    'node:http',
    (at: string) =>
      `await new Promise((done, fail) => http.get('http://${at}/', done).on('error', fail));`,
  ],
])(
  'a request by %s that cannot be made says why, and where it stands in the file',
  async (name, code) => {
    const path = await action(`refused-${name.replace(':', '-')}`, code(gone));
    const ran = await runtime.weir('run', path);
    expect(ran.stdout).toContain(`ECONNREFUSED ${gone}`);
    expect(ran.stdout).toContain(`${path}:3:`);
    expect(ran.stdout).not.toContain('node:internal');
  },
);

test('a source, its hook and its logs', async () => {
  const path = await runtime.file(
    'source.mjs',
    `export default { name: 'Causes', props: { http: '$.interface.http' },
       run() { ${thrower} } }`,
  );
  const { id } = await runtime.weirJson<Source>('deploy', path);
  await runtime.weir('invoke', id);
  const logs = await runtime.weir('logs', id);
  for (const line of expected) expect(logs.stdout).toContain(line);

  const hooked = await runtime.file(
    'hooked.mjs',
    `export default { name: 'Hooked', props: { http: '$.interface.http' },
       hooks: { async deploy() { await fetch('http://${gone}/'); } }, run() {} }`,
  );
  const failed = await runtime.weir('deploy', hooked);
  expect(failed.stderr).toContain(`fetch failed (Error: connect ECONNREFUSED ${gone})`);
});

test('a step of a workflow', async () => {
  const folder = join(runtime.folder, 'flow');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'step.mjs'),
    `export default { name: 'S', key: "s", version: "0.0.1", type: "action", async run() {\n${thrower}\n} };`,
  );
  writeFileSync(
    join(folder, 'workflow.yaml'),
    `schema: workflow/2022.04\nname: Flow\ntriggers: []\nsteps:\n  - namespace: step\n    uses: ./step.mjs\n`,
  );
  const ran = await runtime.weir('run', folder);
  const all = ran.stdout + ran.stderr;
  for (const line of expected) expect(all).toContain(line);
});

test('stacks that a component prints have no frames of the process that runs it', async () => {
  const path = await action('prints', `console.log(new Error('printed')); console.trace('here');`);
  const ran = await runtime.weir('run', path);
  expect(ran.stdout).toContain(`${path}:3:`);
  expect(ran.stdout).not.toContain('component-host');
});
