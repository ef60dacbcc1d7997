/** Tests that need a program which not every machine has. */
import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test did not run here, for the report (scripts/test/layers.mts). */
    notRun?: string;
  }
}

/** By program and argument: one that a file asks for before each of its tests is started once. */
const installed = new Map<string, boolean>();

function isInstalled(program: string, asked: string): boolean {
  const command = `${program} ${asked}`;
  const known = installed.get(command) ?? spawnSync(program, [asked]).status === 0;
  installed.set(command, known);
  return known;
}

/**
 * Ends the test as *not run*, with the reason in the report, when a program is not installed. With
 * `CI=true` it fails instead: CI installs what the tests need.
 * @param asked how it is asked for its version
 */
export function needsProgram(
  program: string,
  { task, skip }: TestContext,
  asked = '--version',
): void {
  if (isInstalled(program, asked)) return;
  const reason = `${program} is not installed`;
  if (process.env['CI'] === 'true') throw new Error(`${reason}, and CI runs every test.`);
  task.meta.notRun = reason;
  skip(reason);
}
