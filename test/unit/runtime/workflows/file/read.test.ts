import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWorkflow } from '../../../../../src/runtime/workflows/file/read.ts';
import { holds } from '../../../../support/holds.ts';

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

  test('may have a filter without "uses", in a block as well; another step needs it', () => {
    const rules = 'props: { _filter: { rules: { t: and, r: [{ a: 1, op: exist }] } }, x: 1 }';
    const text = `schema: workflow/2022.04
name: A
steps:
- { namespace: one, ${rules} }
- { namespace: loop, control: each, on: '{{[1]}}', steps: [{ namespace: two, ${rules} }] }
`;
    expect(told(text)).toEqual([]);
    const steps = JSON.stringify(readWorkflow(text).definition?.steps);
    expect(steps).toContain('"uses":"./one/entry.js"');
    expect(steps).toContain('"uses":"./two/entry.js"');
    expect(told(text.replace('_filter', 'filter'))).toHaveLength(1);
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

  test('has the source of a subscription with its props, which is set up here first', () => {
    const own = `${head}triggers:\n- id: sub_a1\n  uses: sc_b2C3\n  props:\n    box:\n      authProvisionId: apn_1\n    recursive: true\n`;
    expect(told(own)).toEqual([expect.stringMatching(/^4:2 info This subscription needs setup/)]);
    expect(readWorkflow(own).definition?.triggers).toEqual([{ type: 'unknown', id: 'sub_a1' }]);
    const setUp = `${own}    emitter: New files\n`;
    expect(told(setUp)).toEqual([]);
    expect(readWorkflow(setUp).definition?.triggers).toEqual([
      { type: 'source', id: 'sub_a1', emitterId: 'New files' },
    ]);
    expect(told(`${own}    event_name: 5\n`)).toEqual([
      expect.stringMatching(/^10:16 error "event_name" must be text/),
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

describe('what Weir adds', () => {
  test('is read: triggers', () => {
    const text = `${head}triggers:
- uses: $.interface.http
  props:
    response: static
    status: 201
    headers: {X-A: 1}
    body: {ok: true}
    auth: {type: token, token: "{{process.env.TOKEN}}"}
- id: ti_a1
  props: {cron: 0 9 * * 1, timezone: Europe/Berlin}
- uses: $.interface.timer
  props: {intervalSeconds: 90}
- uses: email
- id: p_abc
  props: {event_name: $errors}
- id: sub_1
  props: {emitter: dc_9}
- uses: subscription
  props: {emitter: New rows}
`;
    expect(told(text)).toEqual([]);
    expect(readWorkflow(text).definition?.triggers).toEqual([
      {
        type: 'http',
        response: 'static',
        status: 201,
        headers: { 'X-A': '1' },
        body: '{"ok":true}',
        token: '{{process.env.TOKEN}}',
      },
      { type: 'timer', id: 'ti_a1', cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
      { type: 'timer', intervalSeconds: 90 },
      { type: 'email' },
      { type: 'workflow', id: 'p_abc', emitterId: 'p_abc', eventName: '$errors' },
      { type: 'source', id: 'sub_1', emitterId: 'dc_9' },
      { type: 'source', emitterId: 'New rows' },
    ]);
  });

  test('is read: settings', () => {
    const text = `${head}settings:
  error_notification: false
  lambda_memory: 256
  auto_retry: true
  data_retention: false
  concurrency: {workers: 1}
  throttle: {limit: 0, interval: 2, unit: minute}
  queue_size: 5
  isolate: step
`;
    expect(told(text)).toEqual([]);
    expect(readWorkflow(text).definition?.settings).toEqual({
      errorNotification: false,
      memoryMb: 256,
      autoRetry: true,
      dataRetention: false,
      workers: 1,
      throttle: { limit: 0, intervalMs: 120_000 },
      queueSize: 5,
      isolateSteps: true,
    });
  });

  test('is read: blocks, retries', () => {
    const text = withSteps(
      '- namespace: choose',
      '  control: ifelse',
      '  branches:',
      '  - name: big',
      '    when: {t: or, r: [{a: "{{event.n}}", op: ">", b: 5}, {t: and, r: []}]}',
      '    steps:',
      '    - namespace: a',
      '      uses: ./a/entry.js',
      '      retry: {max: 3}',
      '      on_error: continue',
      '  - {name: small, when: always, steps: []}',
      '  else: {disabled: true}',
      '- {namespace: by, control: switch, on: "{{event.k}}", branches: [{name: x, when: always}]}',
      '- {namespace: both, control: parallel, branches: [{name: x}, {name: y, when: "{{event.y}}"}]}',
      '- namespace: all',
      '  control: each',
      '  on: [1, 2]',
      '  concurrency: 4',
      '  steps: [{namespace: a, uses: ./a/entry.js}]',
    );
    expect(told(text)).toEqual([]);
    expect(readWorkflow(text).definition?.steps).toMatchObject([
      {
        kind: 'block',
        branches: [
          {
            when: {
              is: 'rules',
              rules: {
                t: 'or',
                r: [
                  { op: '>', b: 5 },
                  { t: 'and', r: [] },
                ],
              },
            },
            steps: [{ retry: { max: 3, backoffMs: 1000 }, onError: 'continue', line: 10 }],
          },
          { name: 'small', when: { is: 'always' } },
        ],
        otherwise: { disabled: true, steps: [] },
      },
      { on: '{{event.k}}', branches: [{ when: { is: 'value', value: 'always' } }] },
      {
        branches: [{ when: { is: 'always' } }, { when: { is: 'value', value: '{{event.y}}' } }],
        concurrency: 1,
      },
      { control: 'each', on: [1, 2], concurrency: 4, branches: [{ name: 'item', steps: [{}] }] },
    ]);
  });
});

const trigger = (lines: string): string => `${head}triggers:\n- ${lines}\n`;
const step = (...lines: string[]): string =>
  withSteps('- namespace: a', '  uses: ./a/entry.js', ...lines);

describe('a diagnostic', () => {
  test.for<[name: string, text: string, told: string[]]>([
    ['of a file without anything', '', ['1:0 error The file is empty']],
    ['of comments alone', '# a\n', ['1:0 error The file is empty']],
    ['of another kind of file', '- a\n', ['1:0 error The file must be a mapping']],
    [
      'of what is missing',
      'a: 1\n',
      [
        '1:0 error "schema" is missing: it must be "workflow/2022.04".',
        '1:0 error "name" is missing',
        '1:0 warning "a" is not known here and has no effect.',
      ],
    ],
    [
      'of another schema',
      'schema: workflow/2030.01\nname: a\n',
      ['1:8 error "schema" must be "workflow/2022.04", not "workflow/2030.01".'],
    ],
    [
      'of tabs',
      `${head}settings:\n\tauto_retry: true\n`,
      ['4:0 error YAML has no tabs in front of keys'],
    ],
    ['of broken YAML', `${head}steps: [\n`, ['4:0 error This is not valid YAML: ']],
    [
      'of several documents',
      `${head}---\na: 1\n`,
      ['3:0 error The file holds more than one document'],
    ],
    ['of keys that stand twice', `${head}name: b\n`, ['3:0 error "name" stands twice here']],
    ['of an alias of nothing', `${head}steps: *a\n`, ['3:7 error "*a" refers to nothing']],
    [
      'of an alias in itself',
      `${head}x: &a [*a]\n`,
      ['3:7 error This alias stands inside of itself.'],
    ],
    [
      'of digits that get lost',
      step('  props: {id: 12345678901234567890}'),
      ['6:14 warning The digits of 12345678901234567890 are too many'],
    ],
    [
      'of numbers that JSON lacks',
      step('  props: {id: .nan}'),
      ['6:14 error ".nan" is not a number'],
    ],
    [
      'of keys nobody knows',
      `${head}setings: {}\nsettings: {lambda_timeot: 5}\n`,
      [
        '3:0 warning "setings" is not known here and has no effect. Did you mean "settings"?',
        '4:11 warning "lambda_timeot" is not known here and has no effect. Did you mean "lambda_timeout"?',
      ],
    ],
    [
      'of numbers beyond their limits',
      `${head}settings:\n  lambda_timeout: 751\n  queue_size: 1.5\n`,
      [
        '4:18 error "lambda_timeout" must be a whole number from 1 to 750, not 751.',
        '5:14 error "queue_size" must be a whole number from 1 to 10000, not 1.5.',
      ],
    ],
    [
      'of two steps of one name',
      withSteps('- {namespace: a, uses: ./a/entry.js}', '- {namespace: a, uses: ./a/entry.js}'),
      ['5:14 error The step in line 4 is called "a" too'],
    ],
    [
      'of names that differ in case',
      withSteps('- {namespace: a, uses: ./a/entry.js}', '- {namespace: A, uses: ./A/entry.js}'),
      ['5:14 warning "A" and "a" (line 4) differ in case only'],
    ],
    [
      'of a name that is taken outside',
      withSteps(
        '- {namespace: a, uses: ./a/entry.js}',
        '- {namespace: b, control: each, on: [], steps: [{namespace: a, uses: ./a/entry.js}]}',
      ),
      ['5:60 error The step in line 4 is called "a" too'],
    ],
    [
      'of a step called trigger',
      withSteps('- {namespace: trigger, uses: ./a/entry.js}'),
      ['4:14 error "namespace" must not be "trigger": that is what started the execution.'],
    ],
    [
      'of a name that code cannot read',
      withSteps('- {namespace: a b, uses: ./a/entry.js}'),
      ['4:14 error "namespace" must be a name of at most 100 letters'],
    ],
    [
      'of a step without code',
      withSteps('- namespace: a', '  props: {}'),
      ['4:2 error "uses" is missing: it must name the code of the step, as in "./name/entry.ts".'],
    ],
    [
      'of a step in Go',
      withSteps('- {namespace: a, uses: ./a/entry.go}'),
      ['4:23 error "uses" is a step in Go'],
    ],
    [
      'of a step in Go that is switched off',
      withSteps('- {namespace: a, uses: ./a/entry.go, disabled: true}'),
      ['4:23 warning "uses" is a step in Go'],
    ],
    [
      'of an unknown kind of block',
      withSteps('- {namespace: a, control: loop}'),
      ['4:26 error "control" must be one of "ifelse", "switch", "parallel", "each", not "loop".'],
    ],
    [
      'of blocks without what they need',
      withSteps(
        '- {namespace: a, control: each}',
        '- {namespace: b, control: switch}',
        '- {namespace: c, control: ifelse, branches: [{name: x}]}',
      ),
      [
        '4:2 error "control: each" needs "on"',
        '4:2 error "control: each" needs "steps"',
        '5:2 error "control: switch" needs "on"',
        '5:2 error "control: switch" needs "branches"',
        '6:45 error A branch of "control: ifelse" needs "when"',
      ],
    ],
    [
      'of what a block does not have',
      withSteps('- {namespace: a, control: parallel, on: 1, branches: [{name: x}, {name: x}]}'),
      [
        '4:36 warning "on" has no effect in "control: parallel"',
        '4:72 error Two branches are called "x"',
      ],
    ],
    [
      'of rules',
      withSteps(
        '- {namespace: a, control: ifelse, branches: [{name: x, when: {t: xor, r: [{a: 1, o: 2}]}}]}',
      ),
      [
        '4:65 error "t" must be one of "and", "or", not "xor".',
        '4:74 error "op" is missing',
        '4:81 warning "o" is not known here and has no effect.',
      ],
    ],
    [
      'of operators',
      withSteps(
        '- {namespace: a, control: ifelse, branches: [{name: x, when: {t: and, r: [{t: or, r: [{op: like}, {op: "!exist"}]}]}}]}',
      ),
      ['4:91 error "like" is not an operator. There are exist blank str= '],
    ],
    [
      'of operators of a filter',
      step('  props: {_filter: {rules: {t: and, r: [{op: like}]}}}', '  disabled: true'),
      ['6:45 warning "like" is not an operator.'],
    ],
    [
      'of an expression without an end',
      step('  props: {a: "{{ steps.a", b: "{{ \'}}\' }}"}'),
      ['6:13 warning This {{ is never closed with }}'],
    ],
    [
      'of a trigger of which nothing is known',
      trigger('props: {}'),
      ['4:2 error A trigger needs "uses"'],
    ],
    [
      'of a trigger that is a source',
      trigger('uses: rss-new-item@1.0.0'),
      [
        '4:8 error "uses" must be one of "$.interface.http", "$.interface.timer", "email", "subscription"',
      ],
    ],
    [
      'of two triggers of one id',
      trigger('id: hi_a\n- id: hi_a'),
      ['5:6 error Trigger 1 has the id "hi_a" too'],
    ],
    [
      'of an id of another kind',
      trigger('id: hi_a\n  uses: email'),
      ['4:6 warning "hi_a" is the id of another kind'],
    ],
    ['of an id that is none', trigger('id: xx_a'), ['4:6 error "id" must begin with hi_, ti_']],
    [
      'of a timer without a time',
      trigger('uses: $.interface.timer'),
      ['4:2 error This timer does not say when it fires'],
    ],
    [
      'of a timer with two times',
      trigger('id: ti_a\n  props: {cron: "* * * * *", intervalSeconds: 5}'),
      ['5:9 error A timer has either "cron" or "intervalSeconds"'],
    ],
    [
      'of props of a trigger',
      trigger('id: hi_a\n  props: {respons: static, status: 99}'),
      [
        '5:10 warning "respons" is not known here and has no effect. Did you mean "response"?',
        '5:35 error "status" must be a whole number from 200 to 599, not 99.',
      ],
    ],
    [
      'of a response that is not static',
      trigger('id: hi_a\n  props: {status: 201}'),
      ['5:10 warning "status" belongs to a static response'],
    ],
    [
      'of a token that is missing',
      trigger('id: hi_a\n  props: {auth: {type: token}}'),
      ['5:16 error Say which token callers have to send'],
    ],
    [
      'of secrets in clear',
      step(
        '  props:',
        '    httpRequest:',
        '      headers: [{name: Authorization, value: abc}, {name: X-Api-Key, value: "{{process.env.K}}"}]',
        '      auth: {type: bearer, token: geheim123}',
        '    text: Bearer abcdefghijklmnopqrst',
      ),
      [
        '8:45 warning A secret stands here in clear',
        '9:34 warning A secret stands here in clear, where everybody who gets the file reads it. Set it with "weir env set HTTP_TOKEN" and write "{{process.env.HTTP_TOKEN}}" here.',
        '10:10 warning A secret stands here in clear',
      ],
    ],
    [
      'of expressions without braces',
      step(
        '  props: {resBody: \'{ "n": steps.a.$return_value }\', b: steps.unknown.x, c: process.env.KEY}',
      ),
      [
        '6:19 warning This is text as it stands, and "steps.a" in it is not read.',
        '6:76 warning This is text as it stands, and "process.env.KEY" in it is not read.',
      ],
    ],
  ])('%s', ([, text, expected]) => {
    const found = told(text);
    expect(found.map((line, index) => line.slice(0, expected[index]?.length ?? 0))).toEqual(
      expected,
    );
    expect(readWorkflow(text).definition === undefined).toBe(
      found.some((line) => / error /.test(line)),
    );
  });

  test('never says a secret', () => {
    const text = step('  props: {auth: {token: geheim123}}', '  disabled: geheim');
    expect(told(text).join()).not.toContain('geheim123');
    expect(
      told(trigger('id: hi_a\n  props: {auth: {type: token, token: 123456}}')).join(),
    ).not.toContain('123456');
  });

  test('ends where the value ends, or its first line', () => {
    const [first] = readWorkflow('schema: workflow/2030.01\nname: a\n').diagnostics;
    expect(first).toMatchObject({ line: 1, column: 8, endLine: 1, endColumn: 24 });
    const [second] = readWorkflow(`${head}name: b\n`).diagnostics;
    expect(second).toMatchObject({ line: 3, column: 0, endLine: 3, endColumn: 4 });
    const [third] = readWorkflow(
      `${head}steps:\n- props:\n    a: 1\n  uses: ./a/entry.js\n`,
    ).diagnostics;
    expect(third).toMatchObject({ line: 4, column: 2, endLine: 4, endColumn: 8 });
  });
});

describe('text that is made to hurt', () => {
  const bomb = [
    'a0: &a0 [x, x]',
    ...Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`),
  ].join('\n');

  test.for([
    ['too long', 'a'.repeat(300_000), 'The file has 300000 characters: at most 262144 are read.'],
    ['aliases of aliases', bomb, 'The file expands to more than 100000 values'],
    [
      'aliases of merges',
      bomb.replaceAll(/\[(\S+), (\S+)\]/g, '{<<: [$1, $2]}'),
      'The file expands to more than 100000 values',
    ],
    ['brackets in brackets', '['.repeat(20_000), ''],
    [
      'keys in keys',
      Array.from({ length: 400 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      'This is nested more than 100 levels deep.',
    ],
    ['one fault after the other', '"'.repeat(20_000), ''],
    ['keys without end', Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n'), ''],
  ] as const)('%s', ([, text, message]) => {
    const { definition, diagnostics } = readWorkflow(text);
    expect(definition).toBeUndefined();
    expect(diagnostics.length).toBeLessThanOrEqual(200);
    expect(diagnostics.map((one) => one.message).join()).toContain(message);
  });

  test('__proto__ is a key as any other', () => {
    const { definition } = readWorkflow(step('  props: {__proto__: {polluted: 1}}'));
    const [first] = definition?.steps ?? [];
    expect(first?.kind === 'action' && Object.keys(first.props)).toEqual(['__proto__']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(told(withSteps('- {namespace: __proto__, uses: ./a/entry.js}')).join()).toContain(
      ' error ',
    );
  });
});

/** Pieces that files are made of, put together at random. */
const pieces = fc.constantFrom(
  'schema: workflow/2022.04\n',
  'name: a\n',
  'steps:\n',
  'triggers:\n',
  'settings:\n',
  '- ',
  '  ',
  '    ',
  '\n',
  'namespace: a\n',
  'uses: ./a/entry.js\n',
  'props:\n',
  'control: each\n',
  'on: [1]\n',
  'branches:\n',
  'when:\n',
  'id: hi_a\n',
  'id: ti_a\n',
  '&a ',
  '*a\n',
  '<<: *a\n',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '|\n',
  '>-\n',
  '# c\n',
  ': ',
  '!!binary x\n',
  '---\n',
  '%YAML 1.1\n',
  '\t',
  '\r\n',
  '\uFEFF',
  '{{ steps.a',
  ' }}\n',
  't: and\n',
  'r:\n',
  'a: 1\n',
);

test('whatever the text, reading ends, places lie in it, and an error means no definition', async () => {
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
    fc.array(pieces, { maxLength: 40 }).map((all) => withSteps(all.join(''))),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .tuple(fc.nat(synced.length), fc.nat(20), pieces)
      .map(([at, length, piece]) => synced.slice(0, at) + piece + synced.slice(at + length)),
  );
  const property = fc.property(text, (written) => {
    const { definition, diagnostics } = readWorkflow(written);
    const lines = written.replace(/^\uFEFF/, '').split('\n');
    for (const { line, column, endLine, endColumn, message } of diagnostics) {
      expect(message).toMatch(/^.{10,400}$/s);
      expect(line * 1e6 + column).toBeLessThanOrEqual(endLine * 1e6 + endColumn);
      expect(column).toBeLessThanOrEqual(lines[line - 1]!.length);
      expect(endColumn).toBeLessThanOrEqual(lines[endLine - 1]!.length);
    }
    const isWrong = diagnostics.some(({ severity }) => severity === 'error');
    expect(definition === undefined).toBe(isWrong);
    if (definition) JSON.stringify(definition);
  });
  await holds(property, 1000);
});
