import { describe, expect, test } from 'vitest';
import type { ComponentDefinition, ConfigurableProp } from '../../../../src/protocol/definition.ts';
import { checkDefinition } from '../../../../src/runtime/components/check-definition.ts';
import { definition } from './definitions.ts';

const timer: ConfigurableProp = { name: 'timer', type: '$.interface.timer' };

describe('what cannot work is an error', () => {
  test.each<[string, ComponentDefinition]>([
    [
      'dedupe: "newest" is none of unique, greatest, last.',
      definition([timer], { dedupe: 'newest' }),
    ],
    [
      'A prop cannot be named "__proto__"; rename it.',
      definition([{ name: '__proto__', type: 'string' }]),
    ],
    ['A prop cannot be named "$emit"; rename it.', definition([{ name: '$emit', type: 'string' }])],
    ['A prop has an empty name; give it one.', definition([{ name: '', type: 'string' }])],
    [
      'pin: only a string can be secret, not "integer".',
      definition([{ name: 'pin', type: 'integer', secret: true }]),
    ],
  ])('%s', (message, subject) => {
    expect(() => checkDefinition(subject)).toThrow(
      expect.objectContaining({ code: 'bad_component', message }),
    );
  });

  test('each gets a sentence', () => {
    const subject = definition([{ name: '$auth', type: 'string' }], { dedupe: 'newest' });
    expect(() => checkDefinition(subject)).toThrow(
      expect.objectContaining({
        details: [expect.anything(), expect.objectContaining({ prop: '$auth' })],
      }),
    );
  });
});

describe('what the platform does otherwise is a warning', () => {
  test.each<[string, ComponentDefinition]>([
    ['has no name', definition([timer], { name: '' })],
    ['has no run()', definition([timer], { hasRun: false })],
    ['no timer and no HTTP interface', definition([])],
    ['x: "colour" is not a known prop type', definition([timer, { name: 'x', type: 'colour' }])],
    [
      'n: min 5 is above max 1',
      definition([timer, { name: 'n', type: 'integer', min: 5, max: 1 }]),
    ],
    [
      'timer: both cron and intervalSeconds are given',
      definition([{ ...timer, default: { cron: '* * * * *', intervalSeconds: 5 } }]),
    ],
    ['The action has no run()', definition([], { type: 'action', hasRun: false })],
    ['dedupe: "unique" is ignored', definition([], { type: 'action', dedupe: 'unique' })],
    ['An action has no hooks: deploy', definition([], { type: 'action', hooks: ['deploy'] })],
    ['timer: an action has no interfaces', definition([timer], { type: 'action' })],
  ])('%s', (start, subject) => {
    const { warnings } = checkDefinition(subject);
    expect(warnings).toEqual([expect.stringContaining(start)]);
  });
});

test.each<[string, ComponentDefinition]>([
  [
    'a polling source',
    definition([timer, { name: 'db', type: '$.service.db' }], { dedupe: 'unique' }),
  ],
  [
    'a source whose interface comes from additionalProps',
    definition([], { hasAdditionalProps: true }),
  ],
  [
    'an action',
    definition([{ name: 'files', type: 'string[]', secret: true }], { type: 'action' }),
  ],
  ['an app file', definition([], { type: 'app', hasRun: false })],
])('%s passes as it is', (_what, subject) => {
  expect(checkDefinition(subject)).toEqual({ definition: subject, warnings: [] });
});
