import { expect, test } from 'vitest';
import { importText } from '../../../src/cli/views/imports.ts';
import type { Result } from '../../../src/protocol/catalogue.ts';
import { reportText } from '../../../src/runtime/workflows/import/report.ts';

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
      differs: files.map((file) => ({ file: `/home/${file}`, change: 'newer' })),
      packages: [],
      submodules: [],
      written: files,
    } as unknown as Report,
    '/home',
  );

test('one and several are counted in words that fit', () => {
  const one = report(['answer'], ['a.js']);
  expect(one).toContain(
    '1 workflow: 1 needs an answer.\n1 file written.\ndiffers: a.js  (newer in the import, not edited here)\n1 file differs and was left as it is: --replace overwrites it,',
  );
  const several = report(['ready', 'answer', 'answer'], ['a.js', 'b.js']);
  expect(several).toContain('3 workflows: 1 ready, 2 need an answer.\n2 files written.\n');
  expect(several).toContain('2 files differ and were left as they are: --replace overwrites them,');
  expect(several).toContain('Next: weir deploy w0');
});

test('the report counts in the words of the terminal', () => {
  const workflows = (['ready', 'answer', 'answer'] as const).map((state, n) => ({
    name: `w${n}`,
    id: null,
    folder: `/home/w${n}`,
    state,
    findings: [],
    notUnderstood: [],
  }));
  const all = { workflows, written: [], kept: [], others: [], submodules: [] };
  expect(reportText(all, '/home', false)).toContain('3 workflows: 1 ready, 2 need an answer.');
});
