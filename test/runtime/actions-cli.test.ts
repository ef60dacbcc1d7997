import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ActionRun } from '../../src/protocol/catalogue.ts';
import { startReceiver } from '../support/receiver.ts';
import { useRuntime } from '../support/runtime.ts';

/** `weir run`. */
const runtime = useRuntime();

test('the example posts its message', async () => {
  const { url, received } = await startReceiver({ answer: () => ({ status: 202 }) });
  const run = [
    'run',
    'examples/post-message/post-message.ts',
    '--prop',
    `url=${url}/hook`,
    '--prop',
    'text=Hello',
  ];
  const human = await runtime.weir(...run, '--prop', 'tags=a', '--prop', 'tags=b');
  expect([human.code, human.stdout, human.stderr]).toEqual([
    0,
    '$return_value: {\n  "status": 202\n}\nsucceeded: Posted 5 characters\n',
    '',
  ]);
  expect(await runtime.weirJson<ActionRun>(...run)).toEqual({
    id: expect.stringMatching(/^arun_\d+$/),
    exports: { $summary: 'Posted 5 characters' },
    return_value: { status: 202 },
    summary: 'Posted 5 characters',
    logs: [],
  });
  expect(received.map((one) => one.json())).toEqual([
    { text: 'Hello', tags: ['a', 'b'] },
    { text: 'Hello', tags: [] },
  ]);
});

test('values from files, exports of earlier steps, log lines with their level', async () => {
  const action = await runtime.file(
    'steps.mjs',
    `export default { type: 'action', props: { a: 'integer', b: 'object' },
    run({ steps, $ }) { console.log('in'); console.error('odd'); $.export('sum', this.a + this.b.n + steps.before.n); } }`,
  );
  const [props, steps] = [join(runtime.folder, 'props.json'), join(runtime.folder, 'steps.json')];
  await writeFile(props, '{"a": 1, "b": {"n": 10}}');
  await writeFile(steps, '{"before": {"n": 100}}');
  const run = await runtime.weir(
    'run',
    action,
    '--props',
    props,
    '--prop',
    'a=2',
    '--steps',
    steps,
  );
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  `;
  expect(run.stdout).toMatch(new RegExp(`^${time}in\n${time}error: odd\nsum: 112\nsucceeded\n$`));
});

test('one that fails ends with 1 and says why; --json keeps the whole answer', async () => {
  const action = await runtime.file(
    'fails.mjs',
    `export default { type: 'action', run({ $ }) { $.export('half', 1); throw new Error('no luck'); } }`,
  );
  const human = await runtime.weir('run', action);
  expect([human.code, human.stdout]).toEqual([
    1,
    expect.stringMatching(/^half: 1\nfailed: Error: no luck\n\s+at .*fails\.mjs/),
  ]);
  const machine = await runtime.weir('run', action, '--json');
  expect([machine.code, machine.json()]).toEqual([
    1,
    expect.objectContaining({
      exports: { half: 1 },
      error: expect.objectContaining({ message: 'no luck' }),
    }),
  ]);
});

test.for<[what: string, args: readonly string[], code: number, message: string]>([
  ['a prop without a value', ['run', 'needs.mjs'], 2, 'must (string)'],
  [
    'a prop it does not have',
    ['run', 'needs.mjs', '--prop', 'other=1'],
    2,
    'There is no prop "other"',
  ],
  [
    'a value of the wrong kind',
    ['run', 'needs.mjs', '--prop', 'must=1', '--prop', 'count=x'],
    2,
    'count takes a number',
  ],
  ['a file that is not there', ['run', 'nowhere.mjs'], 2, 'There is no file'],
  [
    'a file of steps that is no object',
    ['run', 'needs.mjs', '--steps', 'list.json'],
    2,
    'object of exports by step name',
  ],
])('%s', async ([, [verb, file, ...rest], code, message]) => {
  await runtime.file(
    'needs.mjs',
    `export default { type: 'action', props: { must: 'string', count: { type: 'integer', optional: true } }, run() {} }`,
  );
  await writeFile(join(runtime.folder, 'list.json'), '[]');
  const args = rest.map((arg) => (arg === 'list.json' ? join(runtime.folder, arg) : arg));
  const run = await runtime.weir(verb!, join(runtime.folder, file!), ...args);
  expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(message)]);
});
