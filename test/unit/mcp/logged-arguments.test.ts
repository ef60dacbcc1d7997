import { expect, test } from 'vitest';
import { loggedArguments } from '../../../src/mcp/logged-arguments.ts';

const given = {
  component_path: 'a.mjs',
  configured_props: { pass: 'p-1', city: 'Oslo', times: 2, acme: { authProvisionId: 'apn_1' } },
};

test('of values that the answer calls secret none is kept', () => {
  const configured = { pass: { secret: true }, city: 'Oslo' };
  expect(loggedArguments(given, { configured, refused: [] })).toEqual({
    component_path: 'a.mjs',
    configured_props: { ...given.configured_props, pass: '[not kept]' },
  });
});

test('what an answer that was cut does not show is not kept', () => {
  expect(loggedArguments(given, { configured: { city: 'Oslo' }, refused: [] })).toEqual({
    component_path: 'a.mjs',
    configured_props: { ...given.configured_props, pass: '[not kept]' },
  });
});

test('while no answer tells, texts and what may hold texts are not kept', () => {
  const told = { configured: undefined, refused: [] };
  const list = { configured_props: { many: ['p-1'], more: { deep: 'p-1' }, is: true } };
  expect(loggedArguments(given, told)).toEqual({
    component_path: 'a.mjs',
    configured_props: { ...given.configured_props, pass: '[not kept]', city: '[not kept]' },
  });
  expect(loggedArguments(list, told)).toEqual({
    configured_props: { many: '[not kept]', more: '[not kept]', is: true },
  });
});

test('what was refused as the user’s to give is not kept, as an argument and among values', () => {
  const told = { configured: undefined, refused: ['pass'] };
  expect(loggedArguments({ pass: 'p-1', city: 'Oslo' }, told)).toEqual({
    pass: '[not kept]',
    city: 'Oslo',
  });
  const configure = { action: 'acme-do', values: { pass: 'p-1', city: 'Oslo' } };
  expect(loggedArguments(configure, told)).toEqual({
    action: 'acme-do',
    values: { pass: '[not kept]', city: 'Oslo' },
  });
});

test('arguments that are no object are left to whoever refuses them', () => {
  expect(loggedArguments('x', { configured: undefined, refused: ['pass'] })).toBe('x');
});
