import { expect, test } from 'vitest';
import type { ConfigurableProp } from '../../../../src/protocol/definition.ts';
import { interfacesOf, reservedInterfaces } from '../../../../src/runtime/sources/interfaces.ts';
import { definition as definitionOf } from '../components/definitions.ts';

const definition = (...props: ConfigurableProp[]) => definitionOf(props);
const http: ConfigurableProp = { name: 'http', type: '$.interface.http' };
const timer: ConfigurableProp = {
  name: 'timer',
  type: '$.interface.timer',
  default: { intervalSeconds: 60 },
};
let count = 0;
const newId = (prefix: string) => `${prefix}${++count}`;

test('each interface prop has one, others have none', () => {
  const made = interfacesOf(
    definition({ name: 'text', type: 'string' }, http, timer),
    {},
    [],
    newId,
  );
  expect(made.map(({ prop, kind }) => [prop, kind])).toEqual([
    ['http', 'http'],
    ['timer', 'timer'],
  ]);
});

test('an endpoint keeps its id over an update, and a schedule that stays keeps its next tick', () => {
  const [before] = [interfacesOf(definition(http, timer), {}, [], newId)];
  const ticking = before.map((one) => (one.kind === 'timer' ? { ...one, nextAt: 5000 } : one));
  expect(interfacesOf(definition(timer, http), {}, ticking, newId)).toEqual(ticking.toReversed());
});

test('a new schedule starts anew', () => {
  const ticking = interfacesOf(definition(timer), {}, [], newId).map((one) => ({
    ...one,
    nextAt: 5000,
  }));
  const [changed] = interfacesOf(
    definition(timer),
    { timer: { intervalSeconds: 30 } },
    ticking,
    newId,
  );
  expect(changed).toEqual({
    id: ticking[0]?.id,
    prop: 'timer',
    kind: 'timer',
    intervalSeconds: 30,
  });
});

test('a prop that changes its kind gets a new interface', () => {
  const before = interfacesOf(definition(http), {}, [], newId);
  const [after] = interfacesOf(definition({ ...timer, name: 'http' }), {}, before, newId);
  expect(after?.id).not.toBe(before[0]?.id);
});

const owner = {
  name: 'Orders',
  interfaces: [{ id: 'hi_abcdefg', prop: 'http', kind: 'http' as const }],
};

test('a reserved id becomes that of the interface', () => {
  expect(reservedInterfaces({ http: 'hi_0000001' }, [owner])).toEqual([
    { id: 'hi_0000001', prop: 'http', kind: 'http' },
  ]);
});

test('another source’s endpoint is not taken over', () => {
  expect(() => reservedInterfaces({ http: 'hi_abcdefg' }, [owner])).toThrow(
    'The endpoint hi_abcdefg belongs to Orders already.',
  );
});

test.each(['', 'hi_1', 'hi_guess-me', 'orders', 'hi_00000011'])(
  '"%s" is not the id of an endpoint',
  (id) => {
    expect(() => reservedInterfaces({ http: id }, [])).toThrow('is not the id of an endpoint');
  },
);
