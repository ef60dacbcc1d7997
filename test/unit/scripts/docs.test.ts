import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { pages } from '../../../scripts/docs/pages.mts';

test.each(Object.entries(await pages()))(
  '%s is what the program says; else run: node scripts/docs.mts',
  async (file, text) => {
    expect(await readFile(file, 'utf8')).toBe(text);
  },
);
