import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { lostReferences, references } from '../../../src/workflow-file/references.ts';
import { stepsIn } from '../../../src/workflow-file/steps-in.ts';

const file: unknown = parse(`
steps:
- namespace: list
  uses: ./list/entry.ts
  props: {of: '{{event.body}} and steps.list'}
- namespace: each_1
  control: each
  on: '{{steps.list.$return_value}}'
  steps:
  - namespace: post
    uses: ./post/entry.ts
    props: {text: '{{steps.each_1.item}} {{ steps["list"].length }}'}
- namespace: size
  control: ifelse
  branches:
  - name: big
    when: {t: and, r: [{a: '{{steps.each_1.$return_value.length}}', op: num>, b: 3}]}
    steps:
    - {namespace: call, uses: ./call/entry.py, props: {}}
  else:
    steps:
    - {namespace: mail, uses: ./mail/entry.ts, props: {to: '{{steps.call.to}}', too: '{{steps.gone.x}}'}}
`);

const codes: Readonly<Record<string, string>> = {
  './call/entry.py': 'def handler(pd):\n  return pd.steps["list"]["$return_value"]',
  './mail/entry.ts': 'run({ steps }) { return steps.each_1; }',
};

const words = (found: readonly { from: string; to: string }[]): string[] =>
  found.map(({ from, to }) => `${from} reads ${to}`);

test('each step has its place, the path of its runs, and the steps that it sees', () => {
  expect(
    [...stepsIn(file)].map(({ path, runPath, sees, loops }) => [
      path.join('.'),
      runPath,
      [...sees],
      [...loops],
    ]),
  ).toEqual([
    ['steps.0', 'list', ['trigger'], []],
    ['steps.1', 'each_1', ['trigger', 'list'], []],
    ['steps.1.steps.0', 'each_1.post', ['trigger', 'list', 'each_1'], ['each_1']],
    ['steps.2', 'size', ['trigger', 'list', 'each_1'], []],
    // Of a block that is no loop its own steps see nothing (W47).
    ['steps.2.branches.0.steps.0', 'size.big.call', ['trigger', 'list', 'each_1'], []],
    ['steps.2.else.steps.0', 'size.$else.mail', ['trigger', 'list', 'each_1'], []],
  ]);
});

test('a step reads others in its expressions and in its code, and only those that it sees', () => {
  expect(words(references(file, (uses) => codes[uses]))).toEqual([
    'each_1 reads list',
    'post reads each_1',
    'post reads list',
    'size reads each_1',
    'call reads list',
    'mail reads each_1',
  ]);
});

test.each([
  [
    'a step that goes',
    (steps: unknown[]) => steps.toSpliced(0, 1),
    ['each_1 reads list', 'post reads list', 'call reads list'],
  ],
  ['a step that nobody reads', (steps: unknown[]) => steps.toSpliced(2, 1), []],
  [
    'one that is moved above what it reads',
    ([list, each, size]: unknown[]) => [each, list, size],
    ['each_1 reads list', 'post reads list'],
  ],
  ['none', (steps: unknown[]) => [...steps], []],
])('what is lost with %s', (_, change, lost) => {
  const before = file as { readonly steps: unknown[] };
  const after = { steps: change(before.steps) };
  expect(words(lostReferences(before, after, (uses) => codes[uses]))).toEqual(lost);
});

test.each([undefined, null, 3, {}, { steps: 3 }, { steps: [null, 'x', {}] }])(
  'half a file is no obstacle: %j',
  (root) => {
    expect(references(root)).toEqual([]);
  },
);
