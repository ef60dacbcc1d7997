import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { house } from '../../../scripts/lint/house.mts';

const rooms = house
  .filter(({ name }) => name.startsWith('runtime/'))
  .map(({ name, does }) => ({ name, does, folder: join('src', name) }))
  .filter(({ folder }) => existsSync(folder) && statSync(folder).isDirectory());

test.each(rooms)('$name has a README that says where to begin', ({ name, does, folder }) => {
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(text.startsWith(`# ${name}\n\n${does}\n\nBegin with `)).toBe(true);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(16);
  const named = [...text.matchAll(/`([\w/.-]+\.ts|[\w-]+\/)`/g)].map(([, path]) => path ?? '');
  expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});
