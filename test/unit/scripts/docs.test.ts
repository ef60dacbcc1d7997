import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { pages } from '../../../scripts/docs/pages.mts';

test.each(Object.entries(await pages()))(
  '%s is up to date; else run: npm run docs',
  async (file, text) => {
    expect(await readFile(file, 'utf8')).toBe(text);
  },
);
