import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { oneLine, printable } from '../../../src/cli/render/printable.ts';
import { createHumanRenderer, createJsonRenderer } from '../../../src/cli/render/renderer.ts';
import { type Column, table } from '../../../src/cli/render/table.ts';
import { actionRunText } from '../../../src/cli/views/action-runs.ts';
import { columnsOf } from '../../../src/cli/views/columns.ts';
import { logText } from '../../../src/cli/views/events.ts';
import { when } from '../../../src/cli/views/fields.ts';
import { source, webhook } from '../extension/make.ts';

test.each([
  ['a\tb\nc', 'a\tb\nc'],
  ['a\r\nb', 'a\nb'],
  ['\u001b[2Jgone', '\\u001b[2Jgone'],
  ['\u009b31m', '\\u009b31m'],
  ['abc\u202egnp.exe', 'abc\\u202egnp.exe'],
  ['Größe 漢字 👩‍👩‍👧', 'Größe 漢字 👩‍👩‍👧'],
])('%j prints as %j', (text, printed) => expect(printable(text)).toBe(printed));

test('one line', () => expect(oneLine(' a\n  b\tc ')).toBe('a b c'));

test.each(['\n', '\r\n', '\n '])('a log line of several lines forges none: %j', (end) => {
  const forged = `${when(1000)}  error: forged`;
  const shown = printable(logText({ ts: 0, level: 'info', text: `real${end}${forged}\n    at x` }));
  expect(shown.split('\n')).toEqual([`${when(0)}  real`, `    ${forged}`, '    at x']);
});

test('nor does the error of an action', () => {
  const error = { name: 'Error', message: 'a\nsucceeded: all well' };
  const text = actionRunText({
    logs: [],
    exports: {},
    return_value: null,
    summary: null,
    error,
  });
  expect(text.split('\n')).toEqual(['failed: a', '    succeeded: all well']);
});

describe('a table', () => {
  interface Row {
    readonly id: string;
    readonly name: string | null;
  }
  const columns: readonly Column<Row>[] = [
    { title: 'ID', of: ({ id }) => id },
    { title: 'NAME', of: ({ name }) => name, shrinks: true },
  ];
  const rows = [
    { id: 'dc_1', name: 'a name that goes on and on' },
    { id: 'dc_22', name: null },
  ];

  test('a file gets everything', () => {
    expect(table(columns, rows, undefined)).toBe(
      'ID     NAME\ndc_1   a name that goes on and on\ndc_22',
    );
  });

  test.each([20, 30, 40, 80])('fits %i columns', (width) => {
    const lines = table(columns, rows, width).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines[1]).toMatch(width < 33 ? /^dc_1 .*…$/ : /on and on$/);
  });

  test('an id is never cut', () => {
    expect(table(columns, rows, 5)).toContain('dc_22');
  });

  const long = 'orders-of-the-second-warehouse-in-the-north';

  test('the URL of an endpoint is never cut: the name gives way', () => {
    const url = 'http://127.0.0.1:40123/h/hi_r0JnaO7';
    const [, line = ''] = table(
      columnsOf.sources,
      [source({ name_slug: long, endpoint_url: url })],
      80,
    ).split('\n');
    expect(line).toMatch(/^dc_0000001 {2}orders-of-\S*… {2}active {2}http/);
    expect(line.endsWith(` ${url}`)).toBe(true);
    expect(line.length).toBeLessThanOrEqual(80);
  });

  test('a URL that does not fit at all wraps, and nothing is cut for it', () => {
    const url = `https://hooks.example.com/services/${'T0'.repeat(30)}`;
    const [, line] = table(columnsOf.webhooks, [webhook({ name: long, url })], 80).split('\n');
    expect(line).toBe(`wh_0000001  ${long}  active  ${url}`);
  });
});

function streams(isTTY: boolean) {
  const make = () => Object.assign(new PassThrough(), { isTTY, columns: 40 });
  const [stdout, stderr] = [make(), make()];
  const read = (stream: PassThrough) => String(stream.read() ?? '');
  return { stdout, stderr, out: () => read(stdout), err: () => read(stderr) };
}

describe('for a person', () => {
  test('answers go to stdout, remarks to stderr, both harmless', () => {
    const { stdout, stderr, out, err } = streams(false);
    const renderer = createHumanRenderer(stdout, stderr);
    renderer.answer({}, () => 'the \u001b[31manswer');
    renderer.note('a remark');
    renderer.progress('unseen without a terminal');
    expect([out(), err()]).toEqual(['the \\u001b[31manswer\n', 'a remark\n']);
  });

  test('progress is one line of the terminal that goes away', () => {
    const { stdout, stderr, err } = streams(true);
    const renderer = createHumanRenderer(stdout, stderr);
    renderer.progress('x'.repeat(100));
    expect(err()).toContain(`\u001b[2m${'x'.repeat(39)}\u001b`);
    renderer.answer({}, () => 'done');
    expect(err()).toBe('\r\u001b[2K');
  });

  test('an error shows the place of each detail, and says nothing twice', () => {
    const { stdout, stderr, err } = streams(false);
    const renderer = createHumanRenderer(stdout, stderr);
    const details = [
      { message: 'Expected ";"', file: '/x/a.ts', line: 3, column: 4 },
      { message: 'p is required.', prop: 'p' },
    ];
    renderer.fail({
      code: 'bad_component',
      message: 'It does not compile. p is required.',
      details,
    });
    expect(err()).toBe('weir: It does not compile. p is required.\n  /x/a.ts:3:5: Expected ";"\n');
  });

  test('an error that is made of details with a place is those', () => {
    const { stdout, stderr, err } = streams(false);
    const details = [
      { message: '"uses" is missing.', file: '/x/workflow.yaml', line: 6, column: 4 },
      { message: '"name" is missing.', file: '/x/workflow.yaml', line: 1, column: 0 },
    ];
    createHumanRenderer(stdout, stderr).fail({
      code: 'bad_input',
      message: '/x/workflow.yaml:6: "uses" is missing.\n/x/workflow.yaml:1: "name" is missing.',
      details,
    });
    expect(err()).toBe(
      'weir: /x/workflow.yaml:6:5: "uses" is missing.\nweir: /x/workflow.yaml:1:1: "name" is missing.\n',
    );
  });
});

test('for a machine: a document, or an object a line, errors on stderr', () => {
  const { stdout, stderr, out, err } = streams(false);
  const renderer = createJsonRenderer(stdout, stderr);
  renderer.item({ a: 1 }, () => 'unused');
  renderer.item({ a: 2 }, () => 'unused');
  expect(out()).toBe('{"a":1}\n{"a":2}\n');
  renderer.answer([{ a: 1 }], () => 'unused');
  expect(JSON.parse(out())).toEqual([{ a: 1 }]);
  renderer.fail({ code: 'not_found', message: 'No.' });
  expect(JSON.parse(err())).toEqual({ error: 'No.', code: 'not_found' });
});
