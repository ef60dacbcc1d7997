import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  withoutStep,
  withoutValue,
  withStep,
  withStepMoved,
  withStepRenamed,
  withTriggerProps,
  withValue,
} from '../../../src/workflow-file/edit.ts';
import { readWorkflow } from '../../../src/runtime/workflows/file/read.ts';
import { holds } from '../../support/holds.ts';

/** As git-sync writes it, with what people add: comments, quotes of all kinds, keys of their own. */
const file = `# Do not lose this.
schema: workflow/2022.04
name: 'Weekly report'   # shown in lists
settings:
  error_notification: true
x-owner: "team \\"b\\""
triggers:
# every Monday
- id: ti_a1b2c3
- id: hi_d4e5f6 # the form
steps:
# counts what came in
- namespace: count
  runtime: nodejs20.x
  uses: "./count/entry.js"

# then tells
# about it
- namespace: tell
  uses: chat-send-message@0.3.1
  props:
    text: "{{\`\${steps.count.$return_value.length} came, \${steps[
      'count'].total} in all\`}}"   # folded
    # who
    to: [ops, 'dev' ]
    body: |
      steps.count of
        {{steps.count.$return_value}}

    mode: plain

- namespace: last
  uses: "./last/entry.py"

`;

/** Which lines differ: "- old" and "+ new". */
function changed(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [
    ...a.slice(start, a.length - end).map((line) => `- ${line}`),
    ...b.slice(start, b.length - end).map((line) => `+ ${line}`),
  ];
}

const changes = (after: string): string[] => changed(file, after);

describe('a value', () => {
  test('that is there already changes no byte', () => {
    expect(withValue(file, ['name'], 'Weekly report')).toBe(file);
    expect(withValue(file, ['steps', 1, 'props', 'to'], ['ops', 'dev'])).toBe(file);
    expect(withValue(file, [], parse(file))).toBe(file);
    expect(withoutValue(file, ['nothing', 3])).toBe(file);
  });

  test.for<[name: string, path: (string | number)[], value: unknown, lines: string[]]>([
    [
      'keeps its quotes and the comment behind it',
      ['name'],
      "It's weekly",
      ["- name: 'Weekly report'   # shown in lists", "+ name: 'It''s weekly'   # shown in lists"],
    ],
    [
      'is written on one line where the old one was folded',
      ['steps', 1, 'props', 'text'],
      'x',
      [
        '-     text: "{{`${steps.count.$return_value.length} came, ${steps[',
        "-       'count'].total} in all`}}\"   # folded",
        '+     text: "x"   # folded',
      ],
    ],
    [
      'of a list in brackets stays in brackets',
      ['steps', 1, 'props', 'to', 2],
      'all',
      ["-     to: [ops, 'dev' ]", '+     to: [ ops, dev, all ]'],
    ],
    [
      'may be a text of several lines',
      ['steps', 1, 'props', 'body'],
      'a\nb\n',
      [
        '-       steps.count of',
        '-         {{steps.count.$return_value}}',
        '+       a',
        '+       b',
      ],
    ],
    ['may be new', ['settings', 'lambda_timeout'], 60, ['+   lambda_timeout: 60']],
    [
      'may be new far below',
      ['settings', 'throttle', 'limit'],
      5,
      ['+   throttle:', '+     limit: 5'],
    ],
    ['may be the first of its kind', ['inactive'], true, ['+ inactive: true']],
    [
      'is quoted where the platform would take it for something else',
      ['settings', 'a'],
      'yes',
      ['+   a: "yes"'],
    ],
    [
      'may be a mapping',
      ['triggers', 1, 'props'],
      { response: 'static', headers: { a: 'b' } },
      ['+   props:', '+     response: static', '+     headers:', '+       a: b'],
    ],
    [
      'may be a list',
      ['steps', 0, 'props'],
      { rows: ['a', { b: 1 }] },
      ['+   props:', '+     rows:', '+     - a', '+     - b: 1'],
    ],
    ['may go', ['steps', 1, 'props', 'to'], undefined, ['-     # who', "-     to: [ops, 'dev' ]"]],
    [
      'may go from the line of a dash',
      ['steps', 2, 'namespace'],
      undefined,
      ['- - namespace: last', '-   uses: "./last/entry.py"', '+ - uses: "./last/entry.py"'],
    ],
    [
      'may go with all below it',
      ['settings'],
      undefined,
      ['- settings:', '-   error_notification: true'],
    ],
  ])('%s', ([, path, value, lines]) => {
    expect(changes(withValue(file, path, value))).toEqual(lines);
  });

  test('of a mapping is changed key by key', () => {
    const props = {
      ...(parse(file) as { steps: { props: object }[] }).steps[1]!.props,
      to: 'me',
      mode: undefined,
    };
    expect(changes(withValue(file, ['steps', 1, 'props'], props))).toEqual(
      expect.arrayContaining(["-     to: [ops, 'dev' ]", '+     to: me']),
    );
    expect(withValue(file, ['steps', 1, 'props'], props)).toContain('# folded');
  });

  test('stands behind an alias: that one place gets a copy', () => {
    const text = 'a: &x\n  b: 1 # one\n# two\nc: *x\nd: [*x]\n';
    const after = withValue(text, ['c', 'b'], 2);
    expect(parse(after)).toEqual({ a: { b: 1 }, c: { b: 2 }, d: [{ b: 1 }] });
    expect(after).toContain('b: 1 # one\n# two\n');
  });

  test('may be merged from elsewhere', () => {
    const text = 'a: &x\n  b: 1\n  e: 5\nc:\n  <<: *x\n  d: 3\n';
    expect(withValue(text, ['c', 'b'], 2)).toBe(`${text}  b: 2\n`);
    expect(parse(withoutValue(text, ['c', 'b']), { merge: true })).toMatchObject({
      c: { d: 3, e: 5 },
    });
    expect(readWorkflow(withoutValue(text, ['c', 'b'])).diagnostics).not.toEqual([]);
  });
});

describe('a step', () => {
  const step = { namespace: 'new', uses: './new/entry.ts', props: { a: '{{event}}' } };
  const lines = [
    '+ - namespace: new',
    '+   uses: ./new/entry.ts',
    '+   props:',
    '+     a: "{{event}}"',
  ];

  test('is put in front of another, with the comments of that one below it', () => {
    expect(changes(withStep(file, ['steps', 1], step))).toEqual(lines);
    expect(withStep(file, ['steps', 1], step)).toContain('{{event}}"\n# then tells\n');
  });

  test('is put at the end, and is the first one', () => {
    expect(changes(withStep(file, ['steps', 3], step))).toEqual(lines);
    const text = 'schema: workflow/2022.04\nname: a';
    expect(withStep(text, ['steps', 0], { namespace: 'b', uses: './b/entry.js' })).toBe(
      `${text}\nsteps:\n- namespace: b\n  uses: ./b/entry.js`,
    );
    expect(withStep(`${text}\nsteps:\n`, ['steps', 0], { namespace: 'b' })).toBe(
      `${text}\nsteps:\n- namespace: b\n`,
    );
    expect(withStep(`${text}\nsteps: []\n`, ['steps', 0], { namespace: 'b' })).toBe(
      `${text}\nsteps:\n- namespace: b\n`,
    );
  });

  test('goes, with the comments right above it', () => {
    expect(changes(withoutStep(file, ['steps', 0]))).toEqual([
      '- # counts what came in',
      '- - namespace: count',
      '-   runtime: nodejs20.x',
      '-   uses: "./count/entry.js"',
    ]);
    expect(withoutStep('a: 1\nsteps:\n- b: 1 # c\n', ['steps', 0])).toBe('a: 1\nsteps: []\n');
  });

  test('is moved with its comments, its quotes and its folds', () => {
    const after = withStepMoved(file, ['steps', 1], ['steps', 0]);
    const moved = file.slice(file.indexOf('# then tells'), file.indexOf('\n- namespace: last'));
    expect(after).toContain(`steps:\n${moved}# counts what came in\n`);
    expect(withStepMoved(after, ['steps', 0], ['steps', 2])).toContain(
      `entry.js"\n\n\n${moved}- namespace: last\n`,
    );
    expect(withStepMoved(file, ['steps', 1], ['steps', 1])).toBe(file);
    expect(withStepMoved(file, ['steps', 1], ['steps', 2])).toBe(file);
  });

  test('is moved into a branch and out of it, and never into itself', () => {
    const text = `steps:
  - namespace: choose
    control: ifelse
    branches:
      - name: one
        when: always # yes
        steps:
          # the inner one
          - namespace: inner
            props:
              text: |
                a

                b
  - namespace: outer # here
`;
    const out = withStepMoved(text, ['steps', 0, 'branches', 0, 'steps', 0], ['steps', 0]);
    expect(out).toBe(`steps:
  # the inner one
  - namespace: inner
    props:
      text: |
        a

        b
  - namespace: choose
    control: ifelse
    branches:
      - name: one
        when: always # yes
        steps: []
  - namespace: outer # here
`);
    const back = withStepMoved(text, ['steps', 1], ['steps', 0, 'branches', 0, 'steps', 1]);
    expect(back).toBe(
      text
        .replace('  - namespace: outer # here\n', '')
        .replace(/b\n$/, 'b\n          - namespace: outer # here\n'),
    );
    expect(() =>
      withStepMoved(text, ['steps', 0], ['steps', 0, 'branches', 0, 'steps', 0]),
    ).toThrow('A step cannot be moved into itself.');
    expect(() => withStepMoved(text, ['steps', 7], ['steps', 0])).toThrow('There is no steps.7');
  });

  test('keeps its comments in a list that was empty or not there', () => {
    const step = '# above\n- namespace: a # at\n  uses: "./a/entry.js"\n';
    const loop = '- namespace: loop\n  control: each\n';
    for (const list of ['  steps: []\n', '']) {
      expect(
        withStepMoved(`steps:\n${step}${loop}${list}`, ['steps', 0], ['steps', 1, 'steps', 0]),
      ).toBe(
        `steps:\n${loop}  steps:\n  # above\n  - namespace: a # at\n    uses: "./a/entry.js"\n`,
      );
    }
  });

  test('is renamed where it stands, in its file and in the expressions of others', () => {
    const after = withStepRenamed(file, ['steps', 0], 'tally');
    expect((parse(after) as { steps: unknown }).steps).toMatchObject([
      { namespace: 'tally', uses: './tally/entry.js' },
      {
        props: {
          text: "{{`${steps.tally.$return_value.length} came, ${steps[ 'tally'].total} in all`}}",
          body: 'steps.count of\n  {{steps.tally.$return_value}}\n',
        },
      },
      {},
    ]);
    for (const kept of [
      '# counts what came in',
      '# then tells\n# about it\n',
      '   # folded',
      "[ops, 'dev' ]",
    ]) {
      expect(after).toContain(kept);
    }
    expect(withStepRenamed(file, ['steps', 0], 'count')).toBe(file);
  });

  test('is renamed, and longer names and other objects are not', () => {
    const text =
      'steps:\n- namespace: a\n- namespace: b\n  props:\n    x: "{{steps.ab + my.steps.a + steps?.a + \'}}\' + steps.a + steps.a$}} steps.a"\n';
    expect(withStepRenamed(text, ['steps', 0], 'c')).toContain(
      '"{{steps.ab + my.steps.a + steps?.c + \'}}\' + steps.c + steps.a$}} steps.a"',
    );
  });
});

test('a trigger gets its props, and loses them', () => {
  const set = withTriggerProps(file, 0, { cron: '0 9 * * 1', timezone: 'Europe/Berlin' });
  expect(changes(set)).toEqual([
    '+   props:',
    '+     cron: 0 9 * * 1',
    '+     timezone: Europe/Berlin',
  ]);
  expect(
    changed(set, withTriggerProps(set, 0, { cron: '0 9 * * 2', timezone: 'Europe/Berlin' })),
  ).toEqual(['-     cron: 0 9 * * 1', '+     cron: 0 9 * * 2']);
  expect(withTriggerProps(set, 0, undefined)).toBe(file);
  expect(() => withTriggerProps(file, 2, {})).toThrow('There is no triggers.2 in workflow.yaml.');
});

describe('the text', () => {
  test('keeps the line ends of Windows, its byte order mark and a last line without an end', () => {
    const text = `\uFEFF${file.trimEnd().replaceAll('\n', '\r\n')}`;
    const after = withStep(
      withValue(text, ['steps', 0, 'props'], { a: [1, { b: 'c' }] }),
      ['steps', 3],
      {
        namespace: 'x',
        uses: './x/entry.js',
      },
    );
    expect(after.startsWith('\uFEFF# Do not lose this.\r\n')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(after).toMatch(/- namespace: x\r\n {2}uses: \.\/x\/entry\.js$/);
    expect(after).toContain('  props:\r\n    a:\r\n    - 1\r\n    - b: c\r\n');
  });

  test('is not changed while it cannot be read', () => {
    expect(() => withValue('a:\n\t- b\n', ['a'], 1)).toThrow(
      'workflow.yaml cannot be changed while it cannot be read. YAML has no tabs in front of keys: indent with spaces.',
    );
    expect(() => withValue('a: 1\na: 2\n', ['a'], 1)).toThrow('"a" stands twice here');
  });
});

/** Values as files have them, in every style that the library writes. */
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.constantFrom(
        null,
        true,
        0,
        -1.5,
        '',
        'a',
        'yes',
        '- a',
        '# b',
        '{{ steps.a }}',
        'a\nb',
        'a\n\n',
        ' a',
        '"',
      ),
      fc.string(),
    ),
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('any'), { maxLength: 3 }),
  record: fc.dictionary(
    fc.oneof(fc.constantFrom('a', 'b', 'steps'), fc.string({ minLength: 1, maxLength: 5 })),
    tie('any'),
    {
      maxKeys: 4,
      noNullPrototype: true,
    },
  ),
}));
const styles = fc.record({
  indentSeq: fc.boolean(),
  collectionStyle: fc.constantFrom('any', 'any', 'flow'),
  lineWidth: fc.constantFrom(0, 20, 80),
  defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
} as const);

/** Every path of a value, its own one first. */
function* pathsIn(of: unknown, path: (string | number)[] = []): Generator<(string | number)[]> {
  yield path;
  if (typeof of !== 'object' || of === null) return;
  const isList = Array.isArray(of);
  for (const [key, item] of Object.entries(of))
    yield* pathsIn(item, [...path, isList ? Number(key) : key]);
}

test('whatever is set anywhere reads back, comments around it included', async () => {
  const property = fc.property(
    value.record,
    styles,
    fc.nat(),
    value.any,
    fc.boolean(),
    (record, style, nth, item, crlf) => {
      const data =
        style.collectionStyle === 'flow'
          ? `data: ${stringify(record, style)}`
          : stringify({ data: record }, style);
      const unix = `# head\nfirst: 1 # one\n${data}`;
      const text = crlf ? unix.replaceAll('\n', '\r\n') : unix;
      const paths = [...pathsIn(parse(text) as unknown)].slice(1);
      const path = paths[nth % paths.length]!;
      const after = withValue(text, path, item);
      const found = path.reduce<unknown>(
        (at, part) => (at as Record<string, unknown>)[part],
        parse(after),
      );
      expect(found).toEqual(item);
      expect(withValue(after, path, item)).toBe(after);
      const start = path[0] === 'first' ? '# head\n' : '# head\nfirst: 1 # one\n';
      expect(after.startsWith(crlf ? start.replaceAll('\n', '\r\n') : start)).toBe(true);
      const gone = [...pathsIn(parse(withoutValue(text, path)) as unknown)].slice(1);
      expect(gone.length).toBeLessThan(paths.length);
    },
  );
  await holds(property, 300);
});
