/** From a file or folder to what is published of it: files by allow-list, and a map of its components (P28.1 to P28.4). */
import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { ComponentDefinition } from '../../../protocol/definition.ts';
import { type ErrorDetail, messageOf, WeirError } from '../../../protocol/errors.ts';
import type { ComponentPackage } from '../../../protocol/schemas/component-package.ts';
import { type Closure, closureOf } from '../closure.ts';
import { type Defined, definedBy } from '../defined.ts';
import { folderTree } from '../folder/folder-tree.ts';
import { readText } from '../../components/read-text.ts';
import { textOf, type Tree } from '../tree.ts';
import { type EvaluatedComponent, looksLikeComponent, mayBeComponent } from './candidates.ts';
import {
  type AuthoredManifest,
  componentProblems,
  definedProblems,
  dependencyProblems,
  isLicense,
  isReadme,
  manifestProblems,
  namedApps,
  namedProblems,
} from './check.ts';
import { publishedManifest } from './manifest.ts';
import { tokensIn } from '../../../protocol/secret-shapes.ts';
import { isSecretName } from './secrets.ts';

export interface Packed {
  readonly name: string;
  readonly version: string;
  /** Folder of its `package.json`. */
  readonly folder: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly map: ComponentPackage;
  /** All that is published, by path in the package and in its order; `package.json` first. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface PackContext {
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** Runs a file of the author's, who asked for it. @param path absolute */
  evaluate(path: string): Promise<ComponentDefinition>;
}

/**
 * @param path absolute: a component's file, or a folder with `package.json`, of which all components are taken
 * @throws WeirError `not_found`, or `bad_component` with one sentence per thing that is to be changed
 */
export async function pack(path: string, context: PackContext): Promise<Packed> {
  const { folder, only } = await packageFolder(path);
  const tree = await folderTree(folder, context.signal);
  const authored = await authoredManifest(tree, folder, context.signal);
  const problems = manifestProblems(authored, tree.paths);
  const candidates =
    only === undefined
      ? await candidatesIn(tree, context.signal)
      : [{ path: only.split(sep).join('/'), key: undefined }];
  const paths = new Set(['package.json', ...[...tree.paths].filter(isBesidePackage)]);
  const imports = new Map<string, readonly string[]>();
  const hosts = new Map<string, readonly string[]>();
  const components: EvaluatedComponent[] = [];
  const attempt = async (file: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!WeirError.is(error, 'bad_component')) throw error;
      const message = messageOf(error);
      problems.push({ message: message.includes(file) ? message : `${file}: ${message}`, file });
    }
  };
  const reached = new Map<string, ReadonlySet<string>>();
  const companions = new Set<string>();
  const take = (one: string): Promise<void> =>
    attempt(one, async () => {
      const closure = await closureOf(tree, one, context.signal);
      for (const file of closure.files.keys()) paths.add(file);
      for (const file of closure.companions) companions.add(file);
      reached.set(one, new Set(closure.files.keys()));
      imports.set(one, closure.packages);
      hosts.set(one, hostsOf(closure));
    });
  for (const { path: one } of candidates) await take(one);
  for (const { path: one, key } of candidates) {
    // Code that several components share has no key of its own.
    const isPart = [...reached].some(([other, files]) => other !== one && files.has(one));
    if (key === undefined && isPart && only === undefined) continue;
    context.progress(`Evaluating ${one}`);
    await attempt(one, async () => {
      const definition = await context.evaluate(join(folder, one));
      if (definition.type !== 'app') components.push({ path: one, definition });
      else if (only !== undefined) {
        throw new WeirError(
          'bad_component',
          `${one} is an app; sources and actions are published.`,
        );
      }
    });
  }
  // Other packages import it by this file: the platform's own packages have their app there.
  const { main } = authored;
  if (typeof main === 'string') await take(main.replace(/^\.\//, ''));
  problems.push(...namedProblems(authored, tree.paths));
  for (const file of Object.values(namedApps(authored))) {
    if (tree.paths.has(file)) companions.add(file);
  }
  for (const file of companions) paths.add(file);
  if (components.length === 0 && problems.length === 0) {
    problems.push({ message: `There is no source or action in ${folder}.`, file: folder });
  }
  for (const one of components) {
    for (const file of tree.paths) if (isReadmeBeside(file, one.path)) paths.add(file);
  }
  problems.push(
    ...componentProblems(components, authored.name),
    ...dependencyProblems(authored, imports),
  );
  const files = new Map(await tree.read([...paths].toSorted(), context.signal));
  const defines: Defined[] = [];
  for (const file of [...companions].toSorted()) {
    await attempt(file, async () => void defines.push(...definedBy({ files, companions: [file] })));
  }
  problems.push(...definedProblems(defines));
  const apps = Object.fromEntries(defines.map(({ app, file }) => [app, file]));
  const { manifest, map } = publishedManifest(authored, components, { hosts, apps });
  files.delete('package.json');
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const all = new Map([['package.json', new TextEncoder().encode(text)], ...files]);
  problems.push(...secretProblems(all));
  if (problems.length > 0) throw refused(folder, problems);
  return {
    name: String(authored.name),
    version: String(authored.version),
    folder,
    manifest,
    map,
    files: all,
  };
}

/** @returns the folder of the nearest `package.json`, and the file when one was named */
async function packageFolder(
  path: string,
): Promise<{ readonly folder: string; readonly only: string | undefined }> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new WeirError('not_found', `There is no file or folder ${path}.`);
  const start = found.isDirectory() ? path : dirname(path);
  for (let folder = start; ; folder = dirname(folder)) {
    const file = await stat(join(folder, 'package.json')).catch(() => undefined);
    if (file?.isFile() === true) {
      return { folder, only: found.isDirectory() ? undefined : relative(folder, path) };
    }
    if (found.isDirectory() || dirname(folder) === folder) break;
  }
  throw new WeirError(
    'bad_component',
    `There is no package.json ${found.isDirectory() ? 'in' : 'beside or above'} ${path}: a registry takes packages. "npm init" writes one; give it a name, a version, a license and a README.md beside it.`,
  );
}

async function authoredManifest(
  tree: Tree,
  folder: string,
  signal: AbortSignal,
): Promise<AuthoredManifest> {
  try {
    const value: unknown = JSON.parse((await textOf(tree, 'package.json', signal)) ?? '');
    if (typeof value === 'object' && value !== null) return value as AuthoredManifest;
  } catch {
    // Said below.
  }
  throw new WeirError('bad_component', `${join(folder, 'package.json')} is not JSON object.`);
}

interface Candidate {
  readonly path: string;
  /** As its text says it. */
  readonly key: string | undefined;
}

async function candidatesIn(tree: Tree, signal: AbortSignal): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const path of [...tree.paths].filter(mayBeComponent).toSorted()) {
    const code = await textOf(tree, path, signal);
    const text = code === undefined ? undefined : await readText(path, code);
    if (code === undefined || text === undefined) continue;
    if (looksLikeComponent(code, text)) found.push({ path, key: text.key });
  }
  return found;
}

function hostsOf({ texts }: Closure): string[] {
  return [...new Set([...texts.values()].flatMap((text) => text.hosts))].toSorted();
}

function isBesidePackage(path: string): boolean {
  return isReadme.test(path) || isLicense.test(path) || /^changelog(?:\.md)?$/i.test(path);
}

function isReadmeBeside(path: string, component: string): boolean {
  const at = path.lastIndexOf('/') + 1;
  return (
    path.slice(0, at) === component.slice(0, component.lastIndexOf('/') + 1) &&
    isReadme.test(path.slice(at))
  );
}

function secretProblems(files: ReadonlyMap<string, Uint8Array>): ErrorDetail[] {
  return [...files].flatMap(([path, data]): ErrorDetail[] => {
    if (isSecretName(path)) {
      return [
        {
          message: `${path} is a file of secrets by its name: nothing of a package may need it.`,
          file: path,
        },
      ];
    }
    return tokensIn(new TextDecoder().decode(data)).map(({ what, line }) => ({
      message: `${path}:${line} has ${what} in it: take it out, make it a prop or an account, and give it up where it was made.`,
      file: path,
      line,
    }));
  });
}

function refused(folder: string, problems: readonly ErrorDetail[]): WeirError {
  return new WeirError(
    'bad_component',
    `${folder} cannot be published yet: ${problems.map(({ message }) => message).join(' ')}`,
    problems.map((one) =>
      one.file === undefined ? one : { ...one, file: join(folder, one.file) },
    ),
  );
}
