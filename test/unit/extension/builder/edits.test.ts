import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  changed,
  duplicated,
  inserted,
  moved,
  nameFor,
  newStep,
  placeAfterMove,
  valuesOf,
} from '../../../../src/extension/builder/edits.ts';
import {
  differenceOf,
  type TextDifference,
} from '../../../../src/extension/builder/text-difference.ts';
import { codeFor, languageOf } from '../../../../src/extension/builder/step-templates.ts';
import type { Change, Language, NewStep, Path } from '../../../../src/webview/builder/messages.ts';
import { placesFor } from '../../../../src/webview/builder/places.ts';
import { withoutValue } from '../../../../src/workflow-file/edit.ts';
import { stepsIn, valueAt } from '../../../../src/workflow-file/steps-in.ts';
import { placeOf, yamlValues } from '../../../../src/workflow-file/yaml-values.ts';
import { readWorkflow } from '../../../../src/runtime/workflows/file/read.ts';
import { holds } from '../../../support/holds.ts';

// Texts as people write them: each thing has comments with a number of its own.

interface Step {
  readonly kind: 'action' | 'ifelse' | 'each';
  readonly quotes: "'" | '"' | '';
  readonly flow: boolean;
  readonly inner: readonly Step[];
  readonly otherwise: readonly Step[] | undefined;
}

const { steps: anySteps } = fc.letrec<{ step: Step; steps: Step[] }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 3, depthIdentifier: 'step' }),
  step: fc.record({
    kind: fc.constantFrom('action', 'action', 'ifelse', 'each'),
    quotes: fc.constantFrom("'", '"', ''),
    flow: fc.boolean(),
    inner: fc.oneof({ maxDepth: 2, depthIdentifier: 'step' }, fc.constant([]), tie('steps')),
    otherwise: fc.option(
      fc.oneof({ maxDepth: 2, depthIdentifier: 'step' }, fc.constant([]), tie('steps')),
      { nil: undefined },
    ),
  }),
}));

interface Style {
  readonly indent: boolean;
  readonly crlf: boolean;
  readonly lastLine: boolean;
}

const styles = fc.record({ indent: fc.boolean(), crlf: fc.boolean(), lastLine: fc.boolean() });

/** The text, in which every step has comments that carry its name. */
function written(steps: readonly Step[], { indent, crlf, lastLine }: Style): string {
  let names = 0;
  const lines = [
    '# head',
    'schema: workflow/2022.04',
    "name: 'Any'   # name",
    'x-mine: {a: 1}',
    'triggers:',
    '# about the trigger',
    '- uses: $.interface.http',
  ];
  const list = (key: string, items: readonly Step[], depth: string): void => {
    if (items.length === 0) return void lines.push(`${depth}${key}: []`);
    lines.push(`${depth}${key}:`);
    for (const item of items) write(item, indent ? `${depth}  ` : depth);
  };
  const write = ({ kind, quotes, flow, inner, otherwise }: Step, depth: string): void => {
    const name = `s${(names += 1)}`;
    const below = `${depth}  `;
    lines.push(
      `${depth}# above ${name}.`,
      `${depth}- namespace: ${quotes}${name}${quotes} # at ${name}.`,
    );
    if (kind === 'action') {
      lines.push(`${below}uses: ${quotes}./${name}/entry.js${quotes}`);
      if (flow) lines.push(`${below}props: { a: [1, 'x' ], text: "{{steps.trigger.event}}" }`);
      else {
        lines.push(`${below}props:`, `${below}  # in ${name}.`, `${below}  text: |`);
        lines.push(`${below}    one`, `${below}      two`, `${below}  b: "x"   # b ${name}.`);
      }
      return;
    }
    lines.push(`${below}control: ${kind}`);
    if (kind === 'each') {
      lines.push(`${below}on: '{{steps.trigger.event.body}}' # list ${name}.`);
      return list('steps', inner, below);
    }
    lines.push(`${below}branches:`, `${below}- name: yes_ # branch ${name}.`);
    lines.push(`${below}  when: {t: and, r: [{a: '{{event.a}}', op: exist}]}`);
    list('steps', inner, `${below}  `);
    if (otherwise === undefined) return;
    lines.push(`${below}else: # else ${name}.`);
    list('steps', otherwise, `${below}  `);
  };
  list('steps', steps, '');
  return lines.join(crlf ? '\r\n' : '\n') + (lastLine ? (crlf ? '\r\n' : '\n') : '');
}

// What is asked of them

const asked = fc.oneof(
  fc.record({
    t: fc.constant('change' as const),
    step: fc.nat(),
    at: fc.constantFrom<Path>(
      ['notes'],
      ['disabled'],
      ['retry', 'max'],
      ['props', 'b'],
      ['props', 'text'],
      ['props', 'new', 'deep'],
      ['on'],
      ['branches', 0, 'when', 'r', 0, 'op'],
      ['branches', 0, 'when'],
    ),
    value: fc.constantFrom(
      undefined,
      true,
      7,
      'plain',
      '# no comment',
      '{{steps.trigger.event}}',
      'two\nlines\n',
      { t: 'or', r: [{ a: '{{event.b}}', op: 'num>', b: 3 }] },
      [],
    ),
  }),
  fc.record({ t: fc.constant('insert' as const), step: fc.nat() }),
  fc.record({ t: fc.constant('move' as const), step: fc.nat(), to: fc.nat() }),
  fc.record({ t: fc.constant('remove' as const), step: fc.nat() }),
  fc.record({ t: fc.constant('duplicate' as const), step: fc.nat() }),
);
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

/** The text after an edit, and what it has to say; undefined where there is nothing to do it with. */
function done(
  text: string,
  edit: Asked,
  number: number,
):
  | { readonly after: string; readonly says: unknown; readonly within: Path | undefined }
  | undefined {
  const now = valuesOf(text);
  const places = [...stepsIn(now)];
  const target = places[edit.step % Math.max(places.length, 1)];
  if (target === undefined) return undefined;
  const says = structuredClone(now);
  const path = target.path as Path;
  const list = (at: Path): unknown[] => valueAt(says, at.slice(0, -1)) as unknown[];
  const index = (at: Path): number => Number(at.at(-1));
  switch (edit.t) {
    case 'change': {
      const at = [...path, ...edit.at];
      // A page only changes what is there or may be added to a mapping.
      if (!canHold(target.step, edit.at)) return undefined;
      const one: Change = { path: at, ...(edit.value !== undefined && { value: edit.value }) };
      set(says, at, edit.value);
      return { after: changed(text, [one]), says, within: path };
    }
    case 'insert': {
      const item = { namespace: `n${number}`, uses: `./n${number}/entry.js` };
      list(path).splice(index(path), 0, item);
      return { after: inserted(text, path, item), says, within: undefined };
    }
    case 'remove':
      list(path).splice(index(path), 1);
      return { after: withoutValue(text, path), says, within: undefined };
    case 'duplicate':
      list(path).splice(index(path) + 1, 0, 'copy');
      return { after: duplicated(text, path), says, within: undefined };
    case 'move': {
      const all = placesFor(now as Record<string, unknown>, path);
      const to = all[edit.to % Math.max(all.length, 1)]?.path;
      if (to === undefined) return undefined;
      const end = placeAfterMove(path, to);
      const [step] = list(path).splice(index(path), 1);
      list(end).splice(index(end), 0, step);
      return { after: moved(text, path, to), says, within: undefined };
    }
  }
}

function canHold(step: Readonly<Record<string, unknown>>, at: Path): boolean {
  const above = valueAt(step, at.slice(0, -1));
  const isRecord = typeof above === 'object' && above !== null && !Array.isArray(above);
  return isRecord || (above === undefined && typeof at[0] === 'string' && at[0] !== 'branches');
}

function set(root: unknown, path: Path, value: unknown): void {
  let found = root as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) {
    if (found[part] === undefined) {
      if (value === undefined) return;
      found[part] = {};
    }
    found = found[part] as Record<string | number, unknown>;
  }
  const last = path.at(-1) ?? '';
  if (value === undefined) delete found[last];
  else found[last] = value;
}

/** Comments by the step that they belong to: those have to stay that are about something that is still there. */
const commentsOf = (text: string): string[] =>
  [...text.matchAll(/# (?:above|at|list|branch|else) s\d+\./g)].map(([comment]) => comment);

function commentsOfSteps(text: string): string[] {
  const left = new Set([...stepsIn(valuesOf(text))].map(({ namespace }) => namespace));
  return commentsOf(text).filter((comment) => left.has(/ (s\d+)\.$/.exec(comment)?.[1] ?? ''));
}

test('any sequence of edits says what was asked for, keeps comments and untouched bytes, and is undone', async () => {
  const property = fc.property(
    anySteps,
    styles,
    fc.array(asked, { minLength: 1, maxLength: 6 }),
    (steps, style, edits) => {
      let text = written(steps, style);
      const undo: { start: number; length: number; was: string }[] = [];
      const first = text;
      for (const [number, edit] of edits.entries()) {
        const result = done(text, edit, number);
        if (result === undefined) continue;
        const { after, says, within } = result;
        expectSays(after, says);
        const names = new Set([...stepsIn(valuesOf(after))].map(({ namespace }) => namespace));
        const kept = commentsOfSteps(text).filter((one) =>
          names.has(/ (s\d+)\.$/.exec(one)?.[1] ?? ''),
        );
        // A value that takes the place of another takes its comments with it.
        const isReplaced = edit.t === 'change' && edit.at[0] === 'on';
        for (const comment of kept)
          if (!isReplaced || !comment.startsWith('# list')) expect(after).toContain(comment);
        for (const comment of ['# head', "name: 'Any'   # name", '# about the trigger'])
          expect(after).toContain(comment);
        const difference = differenceOf(text, after);
        const { start, end, text: put } = difference;
        if (within !== undefined && after !== text) expectWithin(text, within, difference);
        undo.push({ start, length: put.length, was: text.slice(start, end) });
        text = after;
      }
      for (const { start, length, was } of undo.toReversed())
        text = text.slice(0, start) + was + text.slice(start + length);
      expect(text).toBe(first);
    },
  );
  await holds(property, 300);
});

/** The names of copies are made up: they are compared by their number only. */
function expectSays(after: string, says: unknown): void {
  const found = parse(after) as unknown;
  const visit = (value: unknown, wanted: unknown): void => {
    if (wanted === 'copy') return expect(value).toBeTypeOf('object');
    if (Array.isArray(wanted)) {
      expect(value).toHaveLength(wanted.length);
      for (const [index, one] of wanted.entries()) visit((value as unknown[])[index], one);
    } else if (typeof wanted === 'object' && wanted !== null) {
      expect(Object.keys(value as object)).toEqual(expect.arrayContaining(Object.keys(wanted)));
      expect(Object.keys(value as object)).toHaveLength(Object.keys(wanted).length);
      for (const [key, one] of Object.entries(wanted))
        visit((value as Record<string, unknown>)[key], one);
    } else expect(value).toEqual(wanted);
  };
  visit(found, says);
}

/** A change of a step touches no byte outside of it and of the end of its last line. */
function expectWithin(text: string, path: Path, { start, end, text: put }: TextDifference): void {
  const { root } = yamlValues(text);
  const { span } = placeOf(root!.at, path);
  const newLine = text.indexOf('\n', span.end - 1);
  const last = newLine === -1 ? text.length : newLine + 1;
  expect(start).toBeGreaterThanOrEqual(span.start);
  // Lines that begin alike may be told apart further down than they were put in or taken out.
  const moves = put === '' ? text.slice(start, end) : end === start ? put : '';
  let slack = 0;
  while (slack < start && text.at(start - slack - 1) === moves.at(-1 - (slack % moves.length)))
    slack += 1;
  expect(end - slack).toBeLessThanOrEqual(last);
}

describe('a difference', () => {
  test('never cuts a line end or a character in two', async () => {
    const part = fc.constantFrom('a', 'b', '\r\n', '\n', '\r', '\u{1F600}', '\u{1F601}', ' ');
    const texts = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    const property = fc.property(texts, texts, (before, after) => {
      const { start, end, text } = differenceOf(before, after);
      expect(before.slice(0, start) + text + before.slice(end)).toBe(after);
      for (const offset of [start, end])
        expect(before.slice(Math.max(0, offset - 1), offset + 1)).not.toMatch(
          /^(?:\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/,
        );
    });
    await holds(property, 2000);
  });
});

test.for<NewStep>([
  { kind: 'code', language: 'js' },
  { kind: 'code', language: 'py' },
  { kind: 'delay' },
  { kind: 'suspend' },
  { kind: 'end' },
  { kind: 'filter' },
  { kind: 'component', uses: 'slack-send-message@0.1.2' },
  { kind: 'block', control: 'ifelse' },
  { kind: 'block', control: 'switch' },
  { kind: 'block', control: 'parallel' },
  { kind: 'block', control: 'each' },
])('a new step that is %j can be deployed, or says what it needs', (kind) => {
  const language = languageOf(kind);
  const uses = kind.kind === 'component' ? kind.uses : `./new/entry.${language ?? 'js'}`;
  const text = 'schema: workflow/2022.04\nname: New\nsteps: []\n';
  const after = inserted(text, ['steps', 0], newStep(kind, 'new', uses));
  const errors = readWorkflow(after).diagnostics.filter(({ severity }) => severity === 'error');
  const isLoop = kind.kind === 'block' && kind.control === 'each';
  expect(errors.map(({ message }) => message)).toEqual(
    isLoop ? ['"control: each" needs "steps": what is done with each item.'] : [],
  );
  expect(codeFor(kind) !== undefined).toBe(language !== undefined);
});

test('the code of a new step in a loop works on its item', () => {
  const of = (language: Language, loop: string) => codeFor({ kind: 'code', language }, loop);
  expect(of('js', 'each_1')).toContain('return steps.each_1.item;');
  expect(of('ts', 'each-1')).toContain('return steps["each-1"].item;');
  expect(of('py', 'each_1')).toContain('return pd.steps["each_1"]["item"]');
});

test.each([
  ['acme-ship-order@0.1.0', 'acme_ship_order'],
  ['npm:@acme/orders@1.4.0#acme-ship-order', 'acme_ship_order'],
  ['./total/entry.ts', 'total'],
])('a step that uses %s is called %s', (uses, name) => {
  expect(nameFor({ kind: 'component', uses })).toBe(name);
});
