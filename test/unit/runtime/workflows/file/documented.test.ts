/** What docs/workflows.md, the examples and `weir init` show of `workflow.yaml` is read without a complaint. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { newWorkflow } from '../../../../../src/cli/templates.ts';
import { readWorkflow } from '../../../../../src/runtime/workflows/file/read.ts';

test('the page', async () => {
  const page = await readFile('docs/workflows.md', 'utf8');
  const [whole = '', block = ''] = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(
    ([, yaml]) => yaml,
  );
  expect(readWorkflow(whole)).toMatchObject({ diagnostics: [], definition: { steps: [{}, {}] } });
  const head = whole.slice(0, whole.indexOf('  - namespace: answer'));
  expect(readWorkflow(`${head}${block.replaceAll(/^/gm, '  ')}`)).toMatchObject({
    diagnostics: [],
    definition: { steps: [{}, { control: 'ifelse', branches: [{ name: 'large' }] }] },
  });
});

test('the example', async () => {
  const yaml = await readFile('examples/order-received/workflow.yaml', 'utf8');
  expect(readWorkflow(yaml).diagnostics).toEqual([]);
});

test.each([
  { http: true, timer: false, triggers: [{ type: 'http', response: 'workflow' }] },
  { http: false, timer: true, triggers: [{ type: 'timer', cron: '0 9 * * 1-5' }] },
  { http: true, timer: true, triggers: [{ type: 'http' }, { type: 'timer' }] },
  { http: false, timer: false, triggers: [{ type: 'http' }] },
])('init workflow with %o', ({ triggers, ...options }) => {
  const name = 'Quotes " and ` and ${}';
  const [yaml] = newWorkflow({ ...options, name, db: false, typescript: false });
  expect(readWorkflow(yaml?.text ?? '')).toMatchObject({
    diagnostics: [],
    definition: { name, triggers },
  });
});
