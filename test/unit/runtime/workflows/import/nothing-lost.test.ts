/** What an export says is carried over or named in the report, wherever it stands. */
import { expect, test } from 'vitest';
import { exportedWorkflow } from '../../../../../src/runtime/workflows/import/exported-workflow.ts';
import { filesOf } from '../../../../../src/runtime/workflows/import/write-workflow.ts';

const code = 'export default defineComponent({ async run() { return 1; } });';

const flat = (): object => ({
  id: 'p_a1',
  name: 'Flat',
  settings: { lambda_timeout: 41, vpc_id: 'vpc_77' },
  triggers: [
    { id: 'hi_1', auth_mode: 'custom' },
    { id: 'ti_2', props: { timer: { cron: '5 4 * * *' } } },
  ],
  steps: [
    { namespace: 'py', lang: 'python3.12', code: 'def handler(pd):\n  return 1' },
    { namespace: 'go', lang: 'golang', code: 'package main' },
    { namespace: 'sh', lang: 'bash', code: 'echo 1' },
    {
      namespace: 'wait',
      component_key: 'delay-workflow-delay',
      configured_props: { delay: { amount: 77 } },
    },
  ],
});
const wrapped = (): object => ({
  version: 2,
  data: {
    id: 'p_b2',
    name: 'Wrapped',
    error_workflow: 'p_errors9',
    settings: { concurrency: { num_workers: 3 }, throttle: { limit: 19 }, auto_retry: true },
    trigger: { type: 'schedule', cron: '5 4 * * *', timezone: 'Asia/Tokyo' },
    steps: [
      {
        namespace: 'sort',
        type: 'switch',
        expression: '{{event.kind}}',
        cases: [
          { name: 'a', value: 'A', steps: [{ namespace: 'in_a', lang: 'nodejs20.x', code }] },
        ],
        default: { steps: [{ namespace: 'others', lang: 'nodejs20.x', code }] },
      },
      {
        namespace: 'keep',
        component_key: 'data_stores-add',
        configured_props: { dataStore: { storeId: 'ds_55' }, path: '/a/b' },
      },
      {
        namespace: 'respond',
        component_key: 'http-return-http-response',
        configured_props: { resBody: '{{process.env.BODY_X}}' },
      },
    ],
  },
});

/** Every mapping in it, with where it is. */
function mappingsIn(value: unknown, at = ''): [string, Record<string, unknown>][] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, part]) => mappingsIn(part, `${at}/${key}`));
  return Array.isArray(value) ? inside : [[at, value as Record<string, unknown>], ...inside];
}

const places = (whole: () => object) =>
  mappingsIn(whole()).map(([at], index) => ({ at: at === '' ? '/' : at, index, whole }));

test.each([...places(flat), ...places(wrapped)])(
  'a key that nobody knows, in $at',
  ({ at, index, whole }) => {
    const value = whole();
    const [, mapping] = mappingsIn(value)[index] ?? expect.unreachable();
    mapping['unseen_key'] = 'unseen value';
    const exported = exportedWorkflow(value, 'fallback') ?? expect.unreachable('it has steps');
    const original = JSON.stringify(value);
    const files = filesOf(exported, original);
    expect(JSON.parse(files.get('imported.json') ?? '')).toEqual(value);
    const written = files.get('workflow.yaml') ?? '';
    const named = [...exported.notUnderstood, ...exported.remarks].map(
      (line) => line.split(':')[0],
    );
    const isCarried = written.includes('unseen value');
    // Itself, or all of what it stands in.
    const own = /\/([a-z_]+)$/.exec(at)?.[1] ?? 'unseen_key';
    const isNamed = named.some(
      (path) => /\.?(\w+)$/.exec(path ?? '')?.[1] === 'unseen_key' || path?.endsWith(`.${own}`),
    );
    expect([isCarried || isNamed, written, named]).toEqual([true, written, named]);
  },
);
