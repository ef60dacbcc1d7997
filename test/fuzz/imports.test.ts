/** Whatever shape an export or a file has, an import ends in a report that says what was not understood. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportedWorkflow } from '../../src/runtime/workflows/import/exported-workflow.ts';
import { withTriggersOf } from '../../src/runtime/workflows/import/fill-triggers.ts';
import { withAccounts } from '../../src/runtime/workflows/import/answer.ts';
import { inspectFolder } from '../../src/runtime/workflows/import/inspect-folder.ts';
import { filesOf } from '../../src/runtime/workflows/import/write-workflow.ts';
import { yamlValues } from '../../src/workflow-file/yaml-values.ts';
import { open } from '../support/open-store.ts';
import { holds } from '../support/holds.ts';

const words =
  'id name steps triggers trigger settings namespace uses runtime props code lang key component saved_component version configured_props app_connections authProvisionId control type branches else when rules t r a op on cron timer schedule interval_seconds timezone data workflow definition _filter __configurableProps __proto__ constructor'.split(
    ' ',
  );
const values = fc.constantFrom<unknown>(
  'p_x1',
  'ti_1',
  'hi_1',
  'dc_1',
  'apn_1',
  './a/entry.js',
  '../../x',
  'slack-send@1.0.0',
  'ifelse',
  'each',
  '{{steps.a',
  '{{steps.a.$return_value}}',
  'trigger',
  'and',
  '',
  0,
  -1,
  null,
  true,
);
const { shape } = fc.letrec<{ shape: unknown }>((tie) => ({
  shape: fc.oneof(
    { depthSize: 'medium', maxDepth: 7 },
    values,
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('shape'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...words), tie('shape'), { maxKeys: 7 }),
  ),
}));
const workflow = fc.record(
  { name: shape, triggers: fc.array(shape), steps: fc.array(shape), settings: shape, extra: shape },
  { requiredKeys: ['steps'] },
);

/** The original is kept without its secrets (P25.101): only its texts may differ. */
function isSameButTexts(kept: unknown, given: unknown): boolean {
  if (typeof given === 'string') return typeof kept === 'string';
  if (typeof given !== 'object' || given === null) return Object.is(kept, given);
  if (typeof kept !== 'object' || kept === null) return false;
  const [one, other] = [Object.entries(kept), Object.entries(given)];
  return (
    one.length === other.length &&
    one.every(([key, value], at) => key === other[at]?.[0] && isSameButTexts(value, other[at][1]))
  );
}

test('the export of a workflow of any shape becomes files that can be read, with the original beside', async () => {
  await holds(
    fc.property(workflow, (value) => {
      const original = JSON.stringify(value);
      const exported = exportedWorkflow(JSON.parse(original), 'fallback');
      if (exported === undefined) return expect.unreachable('it has steps');
      const files = filesOf(exported, original);
      const kept: unknown = JSON.parse(String(files.get('imported.json')));
      expect(isSameButTexts(kept, JSON.parse(original))).toBe(true);
      for (const path of files.keys()) expect(path).not.toMatch(/(?:^|\/)\.\.(?:\/|$)|^\//);
      const text = String(files.get('workflow.yaml'));
      expect(yamlValues(text).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      withTriggersOf(text, exported);
      expect(withAccounts(text, {}).text).toBe(text);
    }),
    1500,
  );
});

/** Who and where, titles, and what the steps are: nothing that a workflow does. */
const ofNoUse =
  /\.(?:id|type|kind|name|title|url|key|lang|version|runtime)$|^(?:id|schema)$|configurable_?props/i;

/** Each text of a value with its path, as the report has it. */
function* textsIn(value: unknown, path: string): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const name = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    yield* textsIn(inner, name);
  }
}

function marked(value: unknown, next: { n: number }): unknown {
  if (typeof value === 'string') return value === '' ? '' : `${value}~${(next.n += 1)}~`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => marked(one, next));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, marked(one, next)]));
}

test('what an export says is in the files of the workflow, or told', async () => {
  await holds(
    fc.property(workflow, (value) => {
      const given = marked(JSON.parse(JSON.stringify(value)), { n: 0 });
      const exported = exportedWorkflow(given, 'fallback');
      if (exported === undefined) return expect.unreachable('it has steps');
      const files = [...filesOf(exported, '')].filter(([path]) => path !== 'imported.json');
      const made = files.flat().join('\n');
      const told = [...exported.notUnderstood, ...exported.remarks, ...exported.notes];
      for (const [path, text] of textsIn(given, '')) {
        const [mark = text] = /~\d+~/.exec(text) ?? [];
        const isKept = mark === '' || made.includes(mark) || ofNoUse.test(path);
        const isTold = told.some(
          (one) =>
            path.startsWith(one) ||
            one.startsWith(`${path}:`) ||
            one.includes(mark) ||
            path.startsWith(one.split(':')[0] ?? one),
        );
        expect(isKept || isTold, `${path} = ${text}`).toBe(true);
      }
    }),
    3000,
  );
});

const text = fc.oneof(
  shape.map((value) => JSON.stringify(value)),
  workflow.map((value) => JSON.stringify(value, null, 2)),
  fc.string(),
  fc
    .array(
      fc.constantFrom(
        'steps:',
        '\n',
        '  ',
        '- ',
        'namespace: a',
        'uses: ',
        './a/entry.js',
        '&a',
        '*a',
        '!!js',
        '"',
        '{{',
        '}}',
        ': ',
        '#',
        '\t',
        '\uFEFF',
        '---',
        '<<: ',
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
);

test('a workflow.yaml of any text is looked at, and stays as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-imports-'));
  const store = await open(join(folder, 'store.db'));
  const options = {
    store,
    environment: { list: () => [] },
    prepare: {
      saved: store.components,
      locked: () => Promise.resolve(undefined),
      accountsOf: () => ({}),
      accountsOfApp: () => [],
    },
    workspace: folder,
    hasProgram: async () => true,
  };
  try {
    await holds(
      fc.asyncProperty(text, async (written) => {
        const file = join(folder, 'workflow.yaml');
        await writeFile(file, written);
        const bytes = await readFile(file);
        const found = await inspectFolder(options, folder, new AbortController().signal);
        expect(await readFile(file)).toEqual(bytes);
        const lines = written.split('\n').length;
        for (const { file: at, line, message } of found.findings) {
          expect(message).not.toBe('');
          if (at === file) expect(line).toBeLessThanOrEqual(lines);
        }
      }),
      800,
    );
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});
