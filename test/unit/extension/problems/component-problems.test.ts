import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ComponentProblems } from '../../../../src/extension/problems/component-problems.ts';
import { findProblems } from '../../../../src/extension/problems/find-problems.ts';
import { type ErrorDetail, WeirError } from '../../../../src/protocol/errors.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { world } from '../fake-vscode/vscode.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

let file: string;
let problems: ComponentProblems;

beforeEach(() => {
  file = path.join(temporaryFolder(), 'a.mjs');
  problems = new ComponentProblems();
});
afterEach(() => problems.dispose());

/** `LINE: message` of what is listed after a build that failed with this. */
async function listed(
  text: string,
  message: string,
  details?: readonly ErrorDetail[],
): Promise<string[]> {
  await writeFile(file, text);
  const error = new WeirError('bad_component', message, details);
  await problems.during(file, () => Promise.reject(error)).catch(() => undefined);
  const shown = world.problems.get('weir')?.get(file) ?? [];
  return shown.map((one) => `${one.range.start.line + 1}: ${one.message}`);
}

const dedupe = 'dedupe: "uniq" is none of unique, greatest, last.';
const strange = `import { dedupe } from './own.mjs';

export default {
  name: 'A', type: 'source', props: { key: 'string' },
  dedupe,
  run() {},
};`;

test('what is marked while one types is not listed once more', async () => {
  const text = 'export default { name: "A", type: "source", dedupe: "uniq", run() {} };';
  expect(findProblems(text, '').map(({ message }) => message)).toContain(dedupe);
  expect(await listed(text, `${file}: ${dedupe}`, [{ file, message: dedupe }])).toEqual([]);
});

test('nor is an action without run()', async () => {
  const text = 'export default { name: "A", type: "action" };';
  const message = 'The default export is not a component: it has neither run() nor props.';
  expect(await listed(text, `${file}: ${message}`, [{ file, message }])).toEqual([]);
});

test('what only the evaluated definition shows is listed at the default export, without the path', async () => {
  const details = [{ file, message: dedupe }];
  expect(await listed(strange, `${file}: ${dedupe}`, details)).toEqual([`3: ${dedupe}`]);
  expect(await listed(strange, `${file}: It does not load.`)).toEqual(['3: It does not load.']);
});

test('an error in a file that two components import is listed once, until both build', async () => {
  const lib = path.join(path.dirname(file), 'lib.mjs');
  const error = new WeirError('bad_component', 'lib.mjs does not compile.', [
    { file: lib, line: 1, column: 0, message: 'Expected "}".' },
  ]);
  const builds = (component: string, fails: boolean) =>
    problems
      .during(component, () => (fails ? Promise.reject(error) : Promise.resolve()))
      .catch(() => undefined);
  const shown = () => world.problems.get('weir')?.get(lib)?.length ?? 0;
  await builds(file, true);
  await builds('/w/b.mjs', true);
  expect(shown()).toBe(1);
  await builds(file, false);
  expect(shown()).toBe(1);
  await builds('/w/b.mjs', false);
  expect(shown()).toBe(0);
});

test('what is said of a file that is gone is what the runtime said', async () => {
  const error = new WeirError('bad_component', `${file} does not exist.`);
  await expect(problems.during(file, () => Promise.reject(error))).rejects.toBe(error);
});

test('what is about a prop is listed there', async () => {
  const message = 'key: only a string can be secret, not "integer".';
  const details = [{ file, prop: 'key', message }];
  expect(await listed(strange, `${file}: ${message}`, details)).toEqual([`4: ${message}`]);
});

test('what has a line is listed there, and goes with the next build that succeeds', async () => {
  const details = [{ file, line: 5, column: 2, message: 'Expected "}".' }];
  expect(await listed(strange, 'a.mjs, line 5: Expected "}".', details)).toEqual([
    '5: Expected "}".',
  ]);
  await problems.during(file, () => Promise.resolve());
  expect(world.problems.get('weir')?.get(file) ?? []).toEqual([]);
});
