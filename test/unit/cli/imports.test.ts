import { expect, test } from 'vitest';
import { importText } from '../../../src/cli/views/imports.ts';
import type { Result } from '../../../src/protocol/catalogue.ts';

type Report = Result<'imports.run'>;

const report = (states: readonly Report['workflows'][number]['state'][], files: string[]) =>
  importText(
    {
      workflows: states.map((state, n) => ({
        name: `w${n}`,
        folder: `/home/w${n}`,
        state,
        findings: [],
        not_understood: [],
      })),
      kept: files,
      packages: [],
      written: files,
    } as unknown as Report,
    '/home',
  );

test('one and several are counted in words that fit', () => {
  const one = report(['answer'], ['a.js']);
  expect(one).toContain('1 workflow: 1 needs an answer.\n1 file written.\n1 file here differs and');
  const several = report(['ready', 'answer', 'answer'], ['a.js', 'b.js']);
  expect(several).toContain(
    '3 workflows: 1 ready, 2 need an answer.\n2 files written.\n2 files here differ and',
  );
  expect(several).toContain('Next: weir deploy w0');
});
