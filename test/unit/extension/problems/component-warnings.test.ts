import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { ComponentWarnings } from '../../../../src/extension/problems/component-warnings.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { world } from '../fake-vscode/vscode.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

test('a slip that is marked while one types is not marked once more', async () => {
  const file = path.join(temporaryFolder(), 'a.mjs');
  const text =
    'export default { name: "A", type: "source", props: { a: "interger", b: "blob" }, run() {} };';
  await writeFile(file, text);
  const unknown = (prop: string, type: string) =>
    `${prop}: "${type}" is not a known prop type; its value is passed on as it is.`;
  const warnings = new ComponentWarnings();
  await warnings.show(file, [unknown('a', 'interger'), unknown('b', 'blob')]);
  const shown = world.problems.get('weir-warnings')?.get(file) ?? [];
  expect(shown.map(({ message }) => message)).toEqual([unknown('b', 'blob')]);
  warnings.dispose();
});
