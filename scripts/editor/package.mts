import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { targetOf } from '../package/contents.mts';

/**
 * Makes the VSIX that a user of this machine would install, with the script that makes them all.
 *
 * @returns the file
 */
export async function packageForHere(folder: string): Promise<string> {
  const target = targetOf(process.platform, process.arch);
  if (target === undefined) {
    throw new Error(`No VSIX is made for ${process.platform}-${process.arch}.`);
  }
  await promisify(execFile)(process.execPath, ['scripts/package.mts', '--out', folder, target]);
  const made = (await readdir(folder)).find((name) => name.endsWith('.vsix'));
  if (made === undefined) throw new Error(`No VSIX was made for ${target}.`);
  return path.join(folder, made);
}
