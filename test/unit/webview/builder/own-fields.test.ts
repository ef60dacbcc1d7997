import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  branchFields,
  elseFields,
  stepFields,
  triggerFields,
  triggerKinds,
  workflowFields,
  type OwnField,
} from '../../../../src/webview/builder/own-fields.ts';
import type { Values } from '../../../../src/webview/builder/messages.ts';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const file = new URL('../../../../schemas/workflow.schema.json', import.meta.url);
const { $defs: defs } = JSON.parse(await readFile(file, 'utf8')) as {
  $defs: Readonly<Record<string, Schema>>;
};

/** The paths of all keys of one part of the format; other parts that it refers to are not gone into. */
function keysOf(schema: Schema | undefined, path = ''): string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([key, inner]) => {
    const at = path === '' ? key : `${path}.${key}`;
    const parts = [inner, ...(inner.anyOf ?? [])].map((one) => one.items ?? one);
    const below = parts.flatMap((one) => keysOf(one, at));
    return below.length === 0 ? [at] : below;
  });
}

const paths = (fields: readonly OwnField[]): string[] => fields.map(({ at }) => at.join('.'));
const emitters = [{ id: 'dc_1', name: 'Orders' }];
const triggerPaths = (trigger: Values): string[] => paths(triggerFields(trigger, emitters));

/** What has something else than a field, and what that is. */
const otherwise: Readonly<Record<string, string>> = {
  schema: 'written by Begin a Workflow',
  namespace: 'the name on the card',
  control: 'the kind that is added',
  triggers: 'cards',
  steps: 'cards',
  branches: 'cards',
  else: 'a card',
  props: 'the form of the component, and Add Prop',
  runtime: 'written by the platform, without effect',
  _props_cursor: 'written by the platform, without effect',
};

test.for<[part: string, made: string[]]>([
  ['workflow', paths(workflowFields)],
  ['action', paths([...stepFields({ uses: './a/entry.js', note: 'old' }), ...branchFields])],
  [
    'block',
    [
      ...paths(stepFields({ control: 'each', note: 'old' })),
      ...paths(stepFields({ control: 'switch' })),
      ...paths(branchFields).map((path) => `branches.${path}`),
      'branches.when',
      'branches.steps',
      ...paths(elseFields).map((path) => `else.${path}`),
      'else.steps',
    ],
  ],
  ['settings', paths(workflowFields).map((path) => path.replace(/^settings\./, ''))],
  ['trigger', [...triggerPaths({ uses: 'email' }), 'uses', 'props']],
  ['httpProps', triggerPaths({ uses: '$.interface.http' })],
  ['emitterProps', triggerPaths({ uses: 'subscription' })],
])('every key of %s can be made by hand', ([part, made]) => {
  const keys = keysOf(defs[part]);
  expect(keys.length).toBeGreaterThan(1);
  const has = (key: string): boolean =>
    made.some((path) => path === key || path === `props.${key}` || path.startsWith(`${key}.`)) ||
    Object.hasOwn(otherwise, key);
  expect(keys.filter((key) => !has(key))).toEqual([]);
});

test('a schedule has the field that says cron, time zone and interval', () => {
  expect(keysOf(defs['timerProps'])).toEqual(['cron', 'timezone', 'intervalSeconds']);
  const [schedule] = triggerFields({ uses: '$.interface.timer' }, emitters);
  expect(schedule).toMatchObject({ at: ['props'], prop: { type: '$.interface.timer' } });
});

test.for<[trigger: Values, path: string]>([
  [{ id: 'hi_a1' }, 'props.response'],
  [{ id: 'ti_a1' }, 'props'],
  [{ id: 'dc_a1' }, 'props.emitter'],
  [{ id: 'sub_a1' }, 'props.emitter'],
  [{ id: 'p_a1' }, 'props.emitter'],
  [{ id: 'ei_a1' }, 'id'],
  [{ uses: 'sc_a1' }, 'props'],
])('%j has the fields of its kind', ([trigger, path]) => {
  expect(triggerPaths(trigger)[0]).toBe(path);
});

test('every kind of trigger that the format has can be added', async () => {
  const { triggerUses } = await import('../../../../src/runtime/workflows/file/schema.ts');
  expect(Object.keys(triggerKinds)).toEqual(Object.keys(triggerUses));
});
