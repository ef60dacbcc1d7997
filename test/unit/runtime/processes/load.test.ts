import { expect, test } from 'vitest';
import { loadError, placeOf } from '../../../../src/runtime/processes/load.ts';

test.for<[frame: string, place: object | undefined]>([
  ['at file:///a%20b/c.mjs:3:5', { file: '/a b/c.mjs', line: 3, column: 4 }],
  ['at Object.run (/x/y (old)/c.ts:12:1)', { file: '/x/y (old)/c.ts', line: 12, column: 0 }],
  ['at async load (C:\\a\\c.mjs:1:2)', { file: 'C:\\a\\c.mjs', line: 1, column: 1 }],
  ['at new Promise (<anonymous>)', undefined],
  ['at node:internal/modules:1:2', undefined],
])('%s', ([frame, place]) => {
  expect(placeOf(`Error: at /no/frame.js:1:1\n    ${frame}`)).toEqual(place);
});

test('the first frame in a file is the place', () => {
  expect(placeOf('E\n    at x (<anonymous>)\n    at /a.js:1:2\n    at /b.js:3:4')?.file).toBe(
    '/a.js',
  );
});

test('what the host found wrong is said as it is', () => {
  const error = loadError({ name: 'ComponentError', message: 'The action has no run().' });
  expect(error.toJSON()).toEqual({
    code: 'bad_component',
    message: 'The component cannot be loaded: The action has no run().',
    details: [{ message: 'The action has no run().' }],
  });
});

test.for([
  `Cannot find module 'pg'\nRequire stack:\n- /data/deployments/1/component.mjs\n- /b.js`,
  `Cannot find module 'pg' imported from /data/deployments/1/component.mjs`,
])('a module that was not found is all that is named: %s', (message) => {
  expect(loadError({ name: 'Error', message }).message).toBe(
    `The component cannot be loaded: Error: Cannot find module 'pg'`,
  );
});

test('a file of a package is named with the package; its detail says where it is installed', () => {
  const file = '/data/packages/old@1.0.0/node_modules/old/index.js';
  const stack = `ReferenceError: window is not defined\n    at ${file}:3:1`;
  const error = loadError({ name: 'ReferenceError', message: 'window is not defined', stack });
  expect(error.message).toMatch(/: ReferenceError: window is not defined \(old\/index\.js:3\)$/);
  expect(error.details).toMatchObject([{ file, line: 3 }]);
});
