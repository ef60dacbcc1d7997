import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './usage-error.ts';

/** Where `deploy` and `update` take the code from, as the operations name it: exactly one of these. */
export interface CodeOrigin {
  readonly component_path?: string;
  readonly component_url?: string;
  readonly key?: string;
}

/** A URL, a file that exists, or else the key of a component. */
export function codeOrigin(argument: string, cwd: string): CodeOrigin {
  if (/^https?:\/\//i.test(argument)) return { component_url: argument };
  const path = resolve(cwd, argument);
  if (existsSync(path)) return { component_path: path };
  if (/[\\/]|\.[cm]?[jt]s$/.test(argument)) throw new UsageError(`There is no file ${path}.`);
  return { key: argument };
}
