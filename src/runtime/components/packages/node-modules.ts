/** Where packages are installed, and the content of their package.json. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';
import { own } from '../../../protocol/own.ts';

/** The part of a package.json that is looked at. */
export interface PackageJson {
  readonly name?: string;
  readonly version?: string;
  readonly type?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly gypfile?: boolean;
  readonly binary?: unknown;
  readonly napi?: unknown;
}

/** Finds the folder of an installed package as Node would from a folder; undefined if there is none. */
export type FindPackage = (from: string, name: string) => Promise<string | undefined>;

/** Looks into each folder once: a bundling asks for the same few packages from hundreds of files. */
export function packageFinder(): FindPackage {
  const known = new Map<string, Promise<string | undefined>>();
  const look: FindPackage = async (from, name) => {
    const candidate = join(from, 'node_modules', name);
    if (await exists(candidate)) return candidate;
    const parent = dirname(from);
    return parent === from ? undefined : find(parent, name);
  };
  const find: FindPackage = (from, name) => {
    const key = join(from, 'node_modules', name);
    const found = known.get(key) ?? look(from, name);
    known.set(key, found);
    return found;
  };
  return find;
}

/** The version the nearest package.json that names the package asks for (P15.7). */
export async function declaredVersion(from: string, name: string): Promise<string | undefined> {
  for (const folder of upwards(from)) {
    const manifest = await readPackageJson(folder);
    const version =
      own(manifest?.dependencies, name) ??
      own(manifest?.optionalDependencies, name) ??
      own(manifest?.peerDependencies, name) ??
      own(manifest?.devDependencies, name);
    if (version !== undefined) return version;
  }
  return undefined;
}

/** The nearest `.npmrc`: it may name the registry a team uses. */
export async function nearestNpmrc(from: string): Promise<string | undefined> {
  for (const folder of upwards(from)) {
    const candidate = join(folder, '.npmrc');
    if (await exists(candidate)) return candidate;
  }
  return undefined;
}

/** Undefined if there is no such file, or it is not JSON: npm and Node report what is wrong with it. */
export async function readPackageJson(folder: string): Promise<PackageJson | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageJson;
  } catch {
    return undefined;
  }
}

/** Whether Node loads a file as CommonJS: by its ending, else by `type` in the nearest package.json. */
export async function isCommonJs(file: string): Promise<boolean> {
  if (extname(file) !== '.js') return extname(file) !== '.mjs';
  for (const folder of upwards(dirname(file))) {
    const manifest = await readPackageJson(folder);
    if (manifest !== undefined) return manifest.type !== 'module';
  }
  return true;
}

/** The folder of the innermost package a file belongs to; undefined outside of `node_modules`. */
export function packageOf(file: string): { name: string; folder: string } | undefined {
  const marker = `${sep}node_modules${sep}`;
  const start = file.lastIndexOf(marker);
  if (start === -1) return undefined;
  const parts = file.slice(start + marker.length).split(sep);
  const name = parts.slice(0, parts[0]?.startsWith('@') === true ? 2 : 1);
  return { name: name.join('/'), folder: join(file.slice(0, start + marker.length), ...name) };
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The folder itself, and every one above it. */
function* upwards(from: string): Generator<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}
