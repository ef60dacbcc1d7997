import { expect, test } from 'vitest';
import { WeirError } from '../../../../../src/protocol/errors.ts';
import {
  remembering,
  withKnownPackages,
} from '../../../../../src/runtime/workflows/import/known-packages.ts';
import type { ImportedWorkflow } from '../../../../../src/runtime/workflows/import/report.ts';
import { packagesIn } from '../../../../../src/runtime/workflows/import/report.ts';

const lacking = (...packages: readonly string[]): ImportedWorkflow[] => [
  {
    name: 'a',
    id: null,
    folder: '/a',
    state: 'answer',
    notUnderstood: [],
    findings: packages.map((name) => ({
      state: 'answer',
      message: name,
      file: null,
      line: 1,
      step: null,
      question: { kind: 'component', key: 'a-b', reference: 'a-b@1.0.0', package: name },
    })),
  },
];
const { signal } = new AbortController();

test('a registry that fails once is not asked again, and names nothing more', async () => {
  const asked: string[] = [];
  const names = Array.from({ length: 20 }, (_, n) => `@pipedream/a${n}`);
  const known = await withKnownPackages(
    lacking(...names),
    (name) => {
      asked.push(name);
      return Promise.reject(new WeirError('registry_failed', 'it cannot be reached.'));
    },
    signal,
  );
  expect(asked.length).toBeLessThanOrEqual(4);
  expect(packagesIn(known)).toEqual([]);
  expect(known[0]?.findings).toHaveLength(20);
});

test('an import that is cancelled meanwhile ends', async () => {
  const cancelled = AbortSignal.abort();
  const work = withKnownPackages(lacking('@pipedream/a'), () => Promise.resolve(true), cancelled);
  await expect(work).rejects.toThrow('Cancelled.');
});

test('a package that exists is asked for once, one that does not again', async () => {
  const asked: string[] = [];
  const hasPackage = remembering((name) => {
    asked.push(name);
    return Promise.resolve(name === 'there');
  });
  for (const name of ['there', 'gone', 'there', 'gone']) {
    expect(await hasPackage(name, signal)).toBe(name === 'there');
  }
  expect(asked).toEqual(['there', 'gone', 'gone']);
});
