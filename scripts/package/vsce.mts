/** vsce, which makes VSIX files and knows what `.vscodeignore` lets in. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { installPinned } from '../npm.mts';
import type { Target } from './contents.mts';

/** Apart from the project's packages: few need it, and it is a hundred packages. */
const folder = path.join(import.meta.dirname, 'vsce');

/** The files of an extension's folder that its VSIX would hold, relative to it. */
export async function listedByVsce(extension: string): Promise<string[]> {
  const output = await vsce(extension, ['ls']);
  return output.split('\n').filter((line) => line !== '');
}

/** Makes the VSIX of an extension's folder. Rejects with what vsce printed when it refuses. */
export async function createVsix(extension: string, target: Target, file: string): Promise<void> {
  // The project has no public address yet, and the README does not refer to one.
  const options = ['--allow-missing-repository', '--no-rewrite-relative-links'];
  await vsce(extension, ['package', '--target', target, '--out', file, ...options]);
}

async function vsce(cwd: string, args: readonly string[]): Promise<string> {
  await installPinned(folder, (line) => console.error(line));
  const program = path.join(folder, 'node_modules', '@vscode', 'vsce', 'vsce');
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { cwd });
  return stdout;
}
