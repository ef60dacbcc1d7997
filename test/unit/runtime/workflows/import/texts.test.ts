import { expect, test } from 'vitest';
import { timerProps } from '../../../../../src/protocol/typed-schedule.ts';
import { appOfProp, variablesIn } from '../../../../../src/runtime/workflows/import/code-texts.ts';
import { exportedWorkflow } from '../../../../../src/runtime/workflows/import/exported-workflow.ts';
import { withTriggersOf } from '../../../../../src/runtime/workflows/import/fill-triggers.ts';
import { reportText } from '../../../../../src/runtime/workflows/import/report.ts';

test('environment variables that code reads, with the line of the first read', () => {
  const text = `const a = process.env.A_KEY;\nconst b = process.env["B"];\nprocess.env.PATH;\nimport os\nos.environ["C"]\nos.environ.get('D')\nos.getenv("E")\nprocess.env.A_KEY`;
  expect([...variablesIn(text)]).toEqual([
    ['A_KEY', 1],
    ['B', 2],
    ['C', 5],
    ['D', 6],
    ['E', 7],
  ]);
});

test.each([
  ['slack: { type: "app", app: "slack" }', 'slack', 'slack'],
  [
    `"my_app": {\n  label: 'x',\n  type: 'app',\n  app: 'google_sheets',\n}`,
    'my_app',
    'google_sheets',
  ],
  ['slack', 'slack', undefined],
])('the app of a prop: %s', (text, prop, app) => {
  expect(appOfProp(`props: { ${text} }`, prop)).toBe(app);
});

test.each([
  ['900', { intervalSeconds: 900 }],
  ['0 9 * * 1-5', { cron: '0 9 * * 1-5' }],
  ['0 9 * * 1-5 Europe/Berlin', { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' }],
  ['30 0 9 * * 1 UTC', { cron: '30 0 9 * * 1', timezone: 'UTC' }],
])('a schedule that is typed: %s', (typed, props) => {
  expect(timerProps(typed)).toEqual(props);
});

test('an export fills in what git-sync does not say, and leaves what it says', () => {
  const text =
    'schema: workflow/2022.04\nname: A\ntriggers:\n  # every hour\n  - id: ti_1\n  - id: ti_2\n    props: { intervalSeconds: 5 }\nsteps: []\n';
  const exported = exportedWorkflow(
    {
      triggers: [
        { id: 'ti_1', cron: '0 * * * *' },
        { id: 'ti_2', cron: '1 * * * *' },
      ],
      steps: [],
    },
    'x',
  );
  const filled = withTriggersOf(text, exported ?? expect.unreachable());
  expect(filled).toContain('# every hour');
  expect(filled).toMatch(/id: ti_1\n\s+uses: .*\n\s+props:\n?\s*\{? *cron: 0 \* \* \* \*/);
  expect(filled).toContain('props: { intervalSeconds: 5 }');
});

test('text of others is text in the report', () => {
  const finding = {
    state: 'answer',
    message: '<img src=x> [a](b) `c`',
    file: '/w/a/workflow.yaml',
    line: 3,
    step: 's',
  } as const;
  const text = reportText(
    {
      workflows: [
        {
          name: '# <b>',
          id: null,
          folder: '/w/a',
          state: 'answer',
          findings: [finding],
          notUnderstood: ['a`b'],
        },
      ],
      written: [],
      kept: [{ file: '/w/a/entry.js', change: 'newer' }],
      others: [],
      submodules: ['vendor/lib'],
    },
    '/w',
    false,
  );
  expect(text).toContain(String.raw`### \# \<b\>`);
  expect(text).toContain(
    String.raw`\<img src=x\> \[a\](b) \`c\` [a/workflow.yaml:3](/a/workflow.yaml#L3)`,
  );
  expect(text).toContain("`a'b`");
  expect(text).toContain('--replace');
  expect(text).toMatch(/Submodules that were not fetched[^#]*recurse-submodules[^#]*- vendor\/lib/);
});
