/**
 * The types of `weir/component` for the author's editor and `tsc`. They are looked for in `node_modules`, and
 * nobody installs them there: `weir` on npm is a stranger's. So Weir writes them itself; what runs does
 * not need them, as the bundler answers `weir/component`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { writeInside } from '../protocol/write-inside.ts';

/** Says that the folder is ours to write. */
const manifest = {
  name: 'weir',
  private: true,
  description: 'Types of weir/component, written by Weir. Nothing of it runs.',
  types: './component.d.ts',
  exports: {
    './component': { types: './component.d.ts' },
    './steps': { types: './steps.d.ts' },
  },
};

/** For a tsconfig: `"types": ["weir/steps"]`. No version of TypeScript takes up global types unasked. */
const steps = `import type { defineComponent as define } from './component.js';

declare global {
  /** Types the code of a step. */
  const defineComponent: typeof define;
}

export {};
`;

/**
 * Writes `node_modules/weir` into a folder of components, unless something else is there, such as a package
 * of that name. What is there of ours is brought up to date.
 * @param folder where TypeScript finds it from: that of the components, or one above it
 * @param types folder of the declarations, `dist/component`
 * @throws WeirError `bad_input` where a link leads out of the folder
 */
export async function writeAuthorTypes(
  folder: string,
  types: string,
): Promise<'new' | 'updated' | 'another package'> {
  const place = join(folder, 'node_modules', 'weir');
  const own = join(place, 'package.json');
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const found = await readFile(own, 'utf8').catch(() => undefined);
  // A file of an earlier version is ours as well.
  const isOurs = found?.includes(JSON.stringify(manifest.description)) !== false;
  if (!isOurs) return 'another package';
  const write = (name: string, content: string | Uint8Array): Promise<string> =>
    writeInside(folder, join(place, name), content);
  for (const entry of await readdir(types, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    await write(relative(types, file), await readFile(file));
  }
  await write('.gitignore', '*\n');
  await write('steps.d.ts', steps);
  await write('package.json', text);
  return found === undefined ? 'new' : 'updated';
}

/** Whether a file needs them: it imports them, or is a step of a workflow as the platform writes it. */
export function needsTypes(text: string): boolean {
  return /['"]weir\/component['"]/.test(text) || /\bdefineComponent\s*\(/.test(text);
}
