import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Whether a program would be found. @param path as `PATH` has it */
export async function isOnPath(name: string, path: string): Promise<boolean> {
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of path.split(delimiter).filter((one) => one !== '')) {
    for (const one of names) {
      const isThere = await access(join(folder, one), constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return true;
    }
  }
  return false;
}
