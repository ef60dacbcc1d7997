/** Which fields of `$auth` a component reads, in the files that went into its bundle. */
import { readFile } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import { isAppFile } from '../../../protocol/app-files.ts';
import { type AuthReads, authReads } from './auth-reads.ts';
import { withEsbuild } from './esbuild.ts';

/** The keys that an account of an app needs, by what identifies the app in the code. */
export interface AppKeys {
  /** By the slug that the file of an app has. */
  readonly byApp: Readonly<Record<string, readonly string[]>>;
  /** By the name of the prop or variable that was read; "" if neither is known. */
  readonly byOwner: Readonly<Record<string, readonly string[]>>;
  /** By the slug of each app whose file went in: whether that file takes anything of `$auth`. Deployments of older versions have none. */
  readonly takes?: Readonly<Record<string, boolean>>;
  /** Whose `$auth` other files take something of, as `byOwner` names them. */
  readonly takenFrom?: readonly string[];
}

/** A file of an app that is larger has other things in it. */
const mostBytes = 500_000;

/** @param files absolute paths; those of npm packages count when the package has the file of an app */
export async function appKeysOf(files: readonly string[]): Promise<AppKeys> {
  const found = await Promise.all(relevant(files).map(readsOf));
  const byApp = new Map<string, string[]>();
  const byOwner = new Map<string, string[]>();
  const takes = new Map<string, boolean>();
  const takenFrom = new Set<string>();
  for (const reads of found) {
    if (reads === undefined) continue;
    if (reads.app !== null)
      takes.set(reads.app, takes.get(reads.app) === true || reads.takenFrom.size > 0);
    for (const owner of reads.takenFrom)
      if (reads.app === null || owner !== '') takenFrom.add(owner);
    for (const [owner, names] of reads.byOwner) {
      const isOwn = owner === '' && reads.app !== null;
      add(isOwn ? byApp : byOwner, isOwn ? (reads.app ?? '') : owner, names);
    }
  }
  return {
    byApp: Object.fromEntries(byApp),
    byOwner: Object.fromEntries(byOwner),
    takes: Object.fromEntries(takes),
    takenFrom: [...takenFrom],
  };
}

function add(to: Map<string, string[]>, name: string, more: readonly string[]): void {
  to.set(name, [...new Set([...(to.get(name) ?? []), ...more])]);
}

/** Components are published as packages, too; most packages are libraries, whose files nobody has to look at. */
function relevant(files: readonly string[]): string[] {
  const withApp = new Set(files.filter(isAppFile).map((file) => packageOf(file)));
  return files.filter((file) => {
    const folder = packageOf(file);
    return (folder === undefined || withApp.has(folder)) && /^\.[cm]?[jt]s$/.test(extname(file));
  });
}

/** The folder of the npm package that a file belongs to; undefined of the author's own. */
function packageOf(file: string): string | undefined {
  const modules = `${sep}node_modules${sep}`;
  const at = file.lastIndexOf(modules);
  if (at === -1) return undefined;
  const [scopeOrName = '', name = ''] = file.slice(at + modules.length).split(sep);
  const folder = scopeOrName.startsWith('@') ? `${scopeOrName}${sep}${name}` : scopeOrName;
  return file.slice(0, at) + modules + folder;
}

/** A file that cannot be read closely may take anything of anybody. */
const opaque: AuthReads = { app: null, byOwner: new Map(), takenFrom: new Set(['']) };

/** @returns undefined for a file that has nothing to do with apps */
async function readsOf(file: string): Promise<AuthReads | undefined> {
  const code = await readFile(file, 'utf8').catch(() => '');
  const takes = code.includes('$auth');
  if (!takes && !isAppFile(file) && !/['"]app['"]/.test(code)) return undefined;
  const reads = code.length > mostBytes ? undefined : await parsed(file, code);
  return reads ?? (takes ? opaque : undefined);
}

async function parsed(file: string, code: string): Promise<AuthReads | undefined> {
  if (!extname(file).endsWith('ts')) return authReads(code);
  const plain = await withEsbuild((esbuild) =>
    esbuild.transform(code, { loader: 'ts', logLevel: 'silent' }).catch(() => undefined),
  );
  return plain && authReads(plain.code);
}
