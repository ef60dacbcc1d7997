import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { exportedWorkflow } from '../../../../../src/runtime/workflows/import/exported-workflow.ts';
import {
  filesOf,
  folderNameOf,
} from '../../../../../src/runtime/workflows/import/write-workflow.ts';
import { readWorkflow } from '../../../../../src/runtime/workflows/file/read.ts';

const code = 'export default defineComponent({ async run() { return 1; } });';

function read(value: unknown) {
  const found = exportedWorkflow(value, 'fallback');
  if (found === undefined) throw new Error('It is no workflow.');
  const files = filesOf(found, JSON.stringify(value));
  const text = files.get('workflow.yaml') ?? '';
  return { ...found, text, files, yaml: parse(text) as Record<string, unknown> };
}

test('as REST answers it: component steps, props as JSON in a text, accounts beside them', () => {
  const { yaml, text, notUnderstood, remarks, id } = read({
    id: 'p_abc',
    name: 'Orders',
    active: false,
    triggers: [
      { id: 'hi_1', key: 'x-http', endpoint_url: 'https://e.example', custom_response: true },
    ],
    steps: [
      {
        id: 'c_1',
        namespace: 'slack_send',
        disabled: false,
        lang: 'nodejs20.x',
        component_key: 'slack-send-message',
        savedComponent: { id: 'sc_1', codeHash: 'f', configurableProps: [], version: '0.6.1' },
        appConnections: { slack: { authProvisionId: 'apn_1' } },
        configured_props_json: '{"text":"{{event.body}}"}',
      },
    ],
  });
  expect(id).toBe('p_abc');
  expect(yaml).toEqual({
    schema: 'workflow/2022.04',
    name: 'Orders',
    inactive: true,
    triggers: [{ id: 'hi_1', uses: '$.interface.http', props: { response: 'workflow' } }],
    steps: [
      {
        namespace: 'slack_send',
        uses: 'slack-send-message@0.6.1',
        props: { slack: { authProvisionId: 'apn_1' }, text: '{{event.body}}' },
      },
    ],
  });
  expect([remarks, notUnderstood]).toEqual([[], []]);
  expect(readWorkflow(text).definition?.name).toBe('Orders');
});

test.each([
  [
    'cron beside it',
    { cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
    { cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
  ],
  ['seconds in its props', { props: { intervalSeconds: 900 } }, { intervalSeconds: 900 }],
  [
    'cron a level deeper',
    { configured_props: { timer: { cron: '* * * * *' } } },
    { cron: '* * * * *' },
  ],
  [
    'cron as an object',
    { props: { cron: { cron: '1 * * * *', timezone: 'UTC' } } },
    { cron: '1 * * * *', timezone: 'UTC' },
  ],
])('a schedule: %s', (_, given, props) => {
  const { yaml, notUnderstood } = read({ triggers: [{ id: 'ti_1', ...given }], steps: [] });
  expect(yaml['triggers']).toEqual([{ id: 'ti_1', uses: '$.interface.timer', props }]);
  expect(notUnderstood).toEqual([]);
});

test('code becomes files in its language, and whatever the keys are called it is found', () => {
  const { files, yaml } = read({
    data: {
      name: 'Mixed',
      steps: [
        { namespace: 'js', code },
        { slug: 'py', lang: 'python3.12', codeRaw: 'def handler(pd):\n  return 1\n' },
        { name: 'sh', language: 'bash', content: 'echo 1' },
      ],
    },
  });
  expect(files.get('js/entry.js')).toBe(`${code}\n`);
  expect(files.get('py/entry.py')).toBe('def handler(pd):\n  return 1\n');
  expect(files.get('sh/entry.sh')).toBe('echo 1\n');
  expect(yaml['steps']).toMatchObject([
    { uses: './js/entry.js' },
    { uses: './py/entry.py' },
    { uses: './sh/entry.sh' },
  ]);
});

test('a step whose name a file cannot have is renamed, with the expressions and code that read it', () => {
  const { files, yaml, notes, remarks } = read({
    steps: [
      { namespace: 'größe', code: 'export default 1;' },
      { namespace: 'my step', code: 'export default 1;' },
      {
        namespace: 'reads',
        code: 'const größer = 1; use(steps.größe.a, steps?.größe, steps["größe"].b, steps["my step"], größer, xsteps.y);',
        props: { a: '{{steps.größe.n}} of größe', list: [{ b: "{{ steps['my step'].x }}" }] },
      },
      { namespace: 'py', lang: 'python', code: 'def handler(pd):\n  return pd.steps["größe"]' },
    ],
  });
  expect(files.get('reads/entry.js')).toBe(
    'const größer = 1; use(steps.gr_e.a, steps?.gr_e, steps["gr_e"].b, steps["my_step"], größer, xsteps.y);\n',
  );
  expect(files.get('py/entry.py')).toContain('pd.steps["gr_e"]');
  expect(yaml['steps']).toMatchObject([
    { namespace: 'gr_e' },
    { namespace: 'my_step' },
    { props: { a: '{{steps.gr_e.n}} of größe', list: [{ b: "{{ steps['my_step'].x }}" }] } },
    {},
  ]);
  expect(remarks).toEqual([]);
  expect(notes).toEqual([
    'steps[0]: the step "größe" is called gr_e here, and what reads it was changed.',
    'steps[1]: the step "my step" is called my_step here, and what reads it was changed.',
  ]);
});

test('a name that code reads in another way is told', () => {
  const { notes, remarks } = read({
    steps: [
      { namespace: 'größe', code: 'export default 1;' },
      { namespace: 'reads', code: 'const { größe } = steps;' },
    ],
  });
  expect(notes).toEqual([]);
  expect(remarks).toEqual([
    'steps[0]: the step "größe" is called gr_e here; "größe" still stands in code or an expression.',
  ]);
});

test('blocks become blocks; a condition that is not understood never holds, and is told', () => {
  const { yaml, text, remarks } = read({
    name: 'Branches',
    steps: [
      {
        namespace: 'if_1',
        type: 'if-else',
        branches: [
          {
            name: 'big',
            condition: { t: 'and', r: [{ a: '{{event.n}}', op: 'num>', b: 3 }] },
            steps: [{ namespace: 'a', code }],
          },
          { name: 'odd', condition: { strange: 1 }, steps: [{ namespace: 'b', code }] },
        ],
        else: { steps: [{ namespace: 'c', code }] },
      },
      {
        namespace: 'all',
        kind: 'parallel',
        paths: [{ slug: 'x.y', steps: [{ namespace: 'd', code }] }],
      },
    ],
  });
  expect(yaml['steps']).toMatchObject([
    {
      namespace: 'if_1',
      control: 'ifelse',
      branches: [
        { name: 'big', when: { t: 'and' } },
        { name: 'odd', when: 'never' },
      ],
      else: { steps: [{ namespace: 'c' }] },
    },
    { control: 'parallel', branches: [{ name: 'x_y', when: 'always' }] },
  ]);
  expect(remarks).toEqual([expect.stringContaining('the branch "odd" is not understood')]);
  expect(readWorkflow(text).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('how many run at a time and start in a while is carried over; half of it is named', () => {
  const settings = {
    concurrency: { num_workers: 3, queue_size: 50, fair: 'yes' },
    throttle: { limit: 10, interval: 2, unit: 'Minutes' },
  };
  const { text, notUnderstood } = read({
    name: 'Slow',
    settings,
    steps: [{ namespace: 'one', code }],
  });
  expect(parse(text)).toMatchObject({
    settings: {
      concurrency: { workers: 3 },
      throttle: { limit: 10, interval: 2, unit: 'minute' },
      queue_size: 50,
    },
  });
  expect(notUnderstood).toEqual(['settings.concurrency.fair']);
  const half = read({
    name: 'Half',
    settings: { throttle: { limit: 10 } },
    steps: [{ namespace: 'one', code }],
  });
  expect(half.notUnderstood).toEqual(['settings.throttle']);
  expect(half.text).not.toContain('throttle');
});

test('what is not known is named by its path, bookkeeping is not, and nothing is made up', () => {
  const { notUnderstood, remarks } = read({
    name: 'Odd',
    created_at: 1,
    owner_id: 'u_1',
    vault: { a: 1 },
    settings: { lambda_timeout: 60, warp: 9 },
    triggers: [{ what: 'else' }],
    steps: [
      { namespace: 'one', code, spin: 'left' },
      { namespace: 'none' },
      { namespace: 'one', code },
    ],
  });
  expect(notUnderstood.toSorted()).toEqual([
    'settings.warp',
    'steps[0].spin',
    'triggers[0].what',
    'vault',
  ]);
  expect(remarks).toEqual([
    expect.stringContaining('what kind of trigger this is cannot be seen'),
    expect.stringContaining('neither code nor a component for the step none'),
    expect.stringContaining('the step "one" is called one_2 here'),
  ]);
});

test.each([[{ hello: 1 }], [[]], ['text'], [null], [{ data: { nothing: true } }]])(
  'no workflow: %j',
  (value) => {
    expect(exportedWorkflow(value, 'x')).toBeUndefined();
  },
);

test.each([
  ['Über Größe!', 'p_1', 'uber-groe-p_1'],
  ['***', undefined, 'workflow'],
  ['../../etc', undefined, 'etc'],
])('a folder for %s', (name, id, folder) => {
  expect(folderNameOf({ name, id })).toBe(folder);
});
