/**
 * The definitions of apps in a component of others: files beside the apps' files, which a person is asked about
 * (P27.14).
 */
import { createHash } from 'node:crypto';
import { slugOfCompanion } from '../../protocol/app-files.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { hostsOf, readPackaged } from '../accounts/apps/read.ts';
import type { Closure } from './closure.ts';

export interface Defined {
  /** Slug. */
  readonly app: string;
  /** In its tree. */
  readonly file: string;
  /** The hosts where people sign in, and that tokens are sent to. */
  readonly hosts: readonly string[];
  /** SHA-256 of what it says, hex. */
  readonly digest: string;
}

/**
 * Each app once.
 * @throws WeirError `bad_component` that says what to change
 */
export function definedBy({ files, companions }: Pick<Closure, 'files' | 'companions'>): Defined[] {
  const found = new Map<string, Defined>();
  for (const file of companions) {
    const one = read(file, new TextDecoder().decode(files.get(file)));
    const other = found.get(one.app);
    if (other !== undefined && other.digest !== one.digest) {
      throw new WeirError(
        'bad_component',
        `${other.file} and ${file} define ${one.app} in different ways: keep one of them.`,
      );
    }
    if (other === undefined) found.set(one.app, one);
  }
  return [...found.values()];
}

/**
 * Checks that a package's list of definitions is true (P27.3).
 * @param manifest text of its `package.json`
 * @throws WeirError `bad_component` for a listed definition that is missing
 */
export function requireNamed(manifest: string, paths: ReadonlySet<string>): void {
  for (const [app, file] of Object.entries(namedIn(manifest))) {
    if (paths.has(String(file))) continue;
    throw new WeirError(
      'bad_component',
      `Its package.json names ${String(file)} as the definition of the app ${app}, and that is not in it: it is not taken.`,
    );
  }
}

function namedIn(manifest: string): Readonly<Record<string, unknown>> {
  try {
    const { weir } = JSON.parse(manifest) as { weir?: { apps?: Record<string, unknown> } };
    return weir?.apps ?? {};
  } catch {
    return {};
  }
}

export function hostsText({ hosts }: Pick<Defined, 'hosts'>): string {
  return hosts.length === 0 ? 'by keys' : `sign-in and tokens go to ${hosts.join(', ')}`;
}

function read(file: string, text: string): Defined {
  const app = slugOfCompanion(file) ?? '';
  try {
    const hosts = hostsOf(readPackaged(text, file, app));
    // As it is written, without its layout: what defaults add is the same for all.
    const said = JSON.stringify(JSON.parse(text));
    return { app, file, hosts, digest: createHash('sha256').update(said).digest('hex') };
  } catch (error) {
    if (!WeirError.is(error, 'bad_input')) throw error;
    throw new WeirError('bad_component', messageOf(error), error.details, error);
  }
}
