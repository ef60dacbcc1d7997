import { describe, expect, test } from 'vitest';
import { readWorkflow } from '../../../../../src/runtime/workflows/file/read.ts';

/** `3:8 error …` of each diagnostic. */
const told = (text: string): string[] =>
  readWorkflow(text).diagnostics.map(
    ({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`,
  );

const head = 'schema: workflow/2022.04\nname: Orders\n';
const withSteps = (...lines: string[]): string => `${head}steps:\n${lines.join('\n')}\n`;

/** As git-sync writes it. */
const synced = `schema: workflow/2022.04
name: Weekly report
inactive: true
settings:
  error_notification: true
  lambda_timeout: 120
triggers:
- id: hi_1a2B3c
- id: dc_9z8Y7x
steps:
- namespace: Stop_if_own
  runtime: nodejs20.x
  uses: "./Stop_if_own/entry.js"
  props:
    _filter:
      continue: 'false'
      rules:
        t: and
        r:
        - a: "{{steps.trigger.event.path}}"
          op: str/
          b: "/output/"
- namespace: count
  notes: counts them
  runtime: python3.12
  uses: "./count/entry.py"
  props:
    __configurableProps:
    - name: store
      type: data_store
    store:
      storeId: ds_a1b2c3
- namespace: upload
  disabled: true
  runtime: nodejs20.x
  uses: sheetbox-add-row@0.3.2
  _props_cursor: dyp_8sKd02
  props:
    sheetbox:
      authProvisionId: apn_Zz0Qx1
    folder:
      __lv:
        label: "/Reports"
        value: "/reports"
    name: "{{\`\${(new Date()).getDate()}-\${(new
      Date()).getMonth()}.png\`}}"

`;

describe('a file of the platform', () => {
  test('is read as it is, without a word about it', () => {
    expect(told(synced)).toEqual([]);
    const { definition } = readWorkflow(synced);
    expect(definition).toMatchObject({
      name: 'Weekly report',
      inactive: true,
      settings: { errorNotification: true, timeoutSeconds: 120, workers: 16, dataRetention: true },
      triggers: [
        { type: 'http', id: 'hi_1a2B3c' },
        { type: 'source', id: 'dc_9z8Y7x', emitterId: 'dc_9z8Y7x' },
      ],
    });
    expect(definition?.triggers[0]).not.toHaveProperty('response');
    expect(
      definition?.steps.map(({ namespace, line, disabled }) => [namespace, line, disabled]),
    ).toEqual([
      ['Stop_if_own', 11, false],
      ['count', 23, false],
      ['upload', 33, true],
    ]);
    const [filter, python, upload] = definition?.steps ?? [];
    expect(filter).toMatchObject({
      props: { _filter: { continue: 'false', rules: { t: 'and' } } },
    });
    expect(python).toMatchObject({
      runtime: 'python3.12',
      props: { __configurableProps: [{ name: 'store', type: 'data_store' }] },
    });
    // YAML folds the expression into one line.
    expect(upload).toMatchObject({
      props: { name: '{{`${(new Date()).getDate()}-${(new Date()).getMonth()}.png`}}' },
    });
  });

  test('may lack settings and steps, and have lines that end as on Windows', () => {
    const text = 'schema: workflow/2022.04\r\nname: A\r\ntriggers:\r\n- id: ei_a1\r\nsteps:';
    expect(told(text)).toEqual([]);
    expect(readWorkflow(text).definition).toMatchObject({
      triggers: [{ type: 'email' }],
      steps: [],
    });
    expect(told(`\uFEFF${text}`)).toEqual([]);
  });

  test('has triggers of which it does not say when they fire', () => {
    const text = `${head}triggers:\n- id: ti_a1\n- id: sub_b2\n`;
    expect(readWorkflow(text).definition?.triggers).toEqual([
      { type: 'unknown', id: 'ti_a1' },
      { type: 'unknown', id: 'sub_b2' },
    ]);
    expect(told(text)).toEqual([
      expect.stringMatching(/^4:2 info This timer needs setup/),
      expect.stringMatching(/^5:2 info This subscription needs setup/),
    ]);
  });

  test('has merge keys and aliases', () => {
    const text = withSteps(
      '- namespace: a',
      '  uses: ./a/entry.js',
      '  props: &shared {x: 1, y: {z: 2}}',
      '- namespace: b',
      '  uses: ./b/entry.js',
      '  props:',
      '    <<: *shared',
      '    x: 3',
      '- namespace: c',
      '  uses: ./c/entry.js',
      '  props: *shared',
    );
    expect(told(text)).toEqual([]);
    expect(readWorkflow(text).definition?.steps).toMatchObject([
      { props: { x: 1, y: { z: 2 } } },
      { props: { x: 3, y: { z: 2 } } },
      { props: { x: 1, y: { z: 2 } } },
    ]);
  });
});
