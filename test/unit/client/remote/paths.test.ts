import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toLocal, toRemote } from '../../../../src/client/remote/paths.ts';

const linux = { local: '/home/ada/shop', remote: '/var/lib/weir/uploads/shop-1a' };
const windows = { local: 'C:\\Users\\Ada\\shop', remote: '/var/lib/weir/uploads/shop-1a' };

test('a path goes there and comes back as it was, whatever the machines', () => {
  const names = fc.array(fc.stringMatching(/^[\w .-]{1,12}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(names, (parts) => {
      const here = `${linux.local}/${parts.join('/')}`;
      expect(toLocal(linux, toRemote(linux, here))).toBe(here);
      const onWindows = `${windows.local}\\${parts.join('\\')}`;
      expect(toRemote(windows, onWindows)).toBe(`${windows.remote}/${parts.join('/')}`);
      expect(toLocal(windows, toRemote(windows, onWindows))).toBe(onWindows);
    }),
  );
});

test('paths are found in fields and in texts', () => {
  const said = {
    path: `${linux.remote}/orders/new.mjs`,
    folder: linux.remote,
    stack: `Error: no\n    at run (${linux.remote}/orders/new.mjs:3:5)\n    at node:internal`,
    list: [{ file: `${linux.remote}/a.mjs` }, null, 3],
  };
  expect(toLocal(linux, said)).toEqual({
    path: '/home/ada/shop/orders/new.mjs',
    folder: '/home/ada/shop',
    stack: 'Error: no\n    at run (/home/ada/shop/orders/new.mjs:3:5)\n    at node:internal',
    list: [{ file: '/home/ada/shop/a.mjs' }, null, 3],
  });
});

test('what has no such path is the same object: nothing is copied for nothing', () => {
  const other = { path: '/var/lib/weir/uploads/shop-1ab/x.mjs', list: [{ a: 1 }] };
  expect(toLocal(linux, other)).toBe(other);
});
