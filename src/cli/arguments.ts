/** Checks arguments of the command line: numbers, files and code; has the error for invalid ones. */
import { type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { messageOf } from '../protocol/errors.ts';
import { parseReference } from '../protocol/reference.ts';

/** A command line that makes no sense (exit code 2), as opposed to one that failed (1). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** For commander: a whole number from 1 on. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('It must be a whole number above 0.');
  }
  return value;
}

/** For commander: a port, 0 for a free one. */
export function portNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > 65_535) {
    throw new InvalidArgumentError('A port is a number from 0 to 65535; 0 picks a free one.');
  }
  return value;
}

/** For commander: a number of seconds, 0 included. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0) {
    throw new InvalidArgumentError('It must be a whole number of seconds.');
  }
  return value;
}

/** JSON as it is typed. @throws UsageError */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${text} is not JSON. A text stands in double quotes: '"${text}"'.`);
  }
}

/** For commander: an option that may be given several times. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/**
 * A JSON file that holds an object.
 * @param by what the object's values are found by, for the message: `values by prop name`
 * @throws UsageError naming the file when it cannot be read, or holds something else
 */
export async function readJsonObject(
  file: string,
  cwd: string,
  by: string,
): Promise<Record<string, unknown>> {
  const path = resolve(cwd, file);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} cannot be read as JSON: ${messageOf(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new UsageError(`${path} must hold an object of ${by}.`);
}

/** The origin of the code for `deploy`, `update` and `run`, as the operations name it: exactly one of these. */
export interface CodeOrigin {
  readonly component_path?: string;
  readonly component_url?: string;
  readonly key?: string;
}

/**
 * The absolute path of a workflow's folder or file; undefined if the argument is not one.
 * @throws UsageError for the path of a folder without a `workflow.yaml`
 */
export function workflowPath(argument: string, cwd: string): string | undefined {
  const path = resolve(cwd, argument);
  if (/\.ya?ml$/i.test(argument)) return path;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  if (statSync(join(path, 'workflow.yaml'), { throwIfNoEntry: false }) !== undefined) return path;
  // `init` names folders as keys: a plain word may be one.
  if (!/[\\/]|^\.+$/.test(argument)) return undefined;
  throw new UsageError(`There is no workflow.yaml in ${path}.`);
}

/**
 * A file that exists, otherwise a reference (P27.1). A folder is neither: `init` names folders as keys.
 * @throws UsageError if it looks like a path but no file is there, and if it is not a reference
 */
export function codeOrigin(argument: string, cwd: string): CodeOrigin {
  const path = resolve(cwd, argument);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile) return { component_path: path };
  const reference = parseReference(argument);
  if ('wrong' in reference) {
    throw new UsageError(
      /^[\w./\\-]+[\\/][\w./\\-]+$/.test(argument)
        ? `There is no file ${path}.`
        : `"${argument}" ${reference.wrong}.`,
    );
  }
  if (reference.kind === 'file') throw new UsageError(`There is no file ${path}.`);
  return reference.kind === 'page' ? { component_url: argument } : { key: argument };
}

/** @throws UsageError for what is not `app=apn_…` */
export function accountsByApp(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const [, app, id] = /^([^=]+)=(apn_.+)$/.exec(text) ?? [];
      if (app !== undefined && id !== undefined) return [app, id] as const;
      throw new UsageError(
        `--account takes an app and an account, such as slack=apn_x7Kq2Pz, not ${text}.`,
      );
    }),
  );
}

/**
 * Looks at a file that a person named. A pipe is one, too.
 * @param path absolute
 * @throws UsageError for a missing file, and for a folder
 */
export async function requireFile(path: string): Promise<Stats> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new UsageError(`There is no file ${path}.`);
  if (found.isDirectory()) throw new UsageError(`${path} is a folder. Name a file.`);
  return found;
}
