import { dirname, extname } from 'node:path';
import { readPackageJson, upwards } from './nearest.ts';

/** Whether Node loads a file as CommonJS: by its ending, else by `type` in the nearest package.json. */
export async function isCommonJs(file: string): Promise<boolean> {
  if (extname(file) !== '.js') return extname(file) !== '.mjs';
  for (const folder of upwards(dirname(file))) {
    const manifest = await readPackageJson(folder);
    if (manifest !== undefined) return manifest.type !== 'module';
  }
  return true;
}
