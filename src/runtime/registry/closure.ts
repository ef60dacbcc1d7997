/** The files that a component needs of its tree: its own, what it imports from there, and what says more of it or its apps (P27.4). */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { definitionBeside } from '../../protocol/app-files.ts';
import { WeirError } from '../../protocol/errors.ts';
import { readText, type TextOfComponent } from '../components/read-text.ts';
import {
  licenseNames,
  type LicenseTexts,
  licenseTexts,
  manifestNames,
  nearest,
  type Tree,
} from './tree.ts';

export interface Closure {
  /** Its own file first. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The parsed components among the texts, by path. */
  readonly texts: ReadonlyMap<string, TextOfComponent>;
  /** npm packages that they import, without paths inside of them. */
  readonly packages: readonly string[];
  /** The nearest `package.json`, when there is one. */
  readonly manifest: string | undefined;
  /** The texts that show its license. */
  readonly license: LicenseTexts;
  /** Definitions beside the files of its apps, in the order of the alphabet. */
  readonly companions: readonly string[];
}

/** A component has 3 files as a rule, and 29 at most among the platform's. */
const mostFiles = 200;
const mostBytes = 5 * 1024 * 1024;

const endings = ['', '.ts', '.js', '.mjs', '.mts', '.cjs', '.cts', '.json'];
const isCode = (path: string): boolean => /\.[cm]?[jt]s$/.test(path);

/**
 * @param path of the component's file in the tree
 * @throws WeirError `bad_component` for a file that is missing, that lies outside of the tree, or too many of them
 */
export async function closureOf(tree: Tree, path: string, signal: AbortSignal): Promise<Closure> {
  const files = new Map<string, Uint8Array>();
  const texts = new Map<string, TextOfComponent>();
  const packages = new Set<string>();
  let bytes = 0;
  let wanted = [path];
  while (wanted.length > 0) {
    const read = await tree.read(wanted, signal);
    const next = new Set<string>();
    for (const one of wanted) {
      const data = read.get(one);
      if (data === undefined)
        throw new WeirError('bad_component', `There is no file ${one} in it.`);
      files.set(one, data);
      bytes += data.length;
      if (!isCode(one)) continue;
      const text = await readText(one, new TextDecoder().decode(data));
      if (text === undefined) continue;
      texts.set(one, text);
      for (const specifier of text.imports) {
        const name = packageIn(specifier);
        if (name !== undefined) packages.add(name);
        if (!specifier.startsWith('.')) continue;
        const target = resolveIn(tree, one, specifier);
        if (!files.has(target)) next.add(target);
      }
    }
    if (files.size + next.size > mostFiles || bytes > mostBytes) {
      throw new WeirError(
        'bad_component',
        `${path} imports more than ${mostFiles} files or 5 MB of its own tree; that is not a component.`,
      );
    }
    wanted = [...next].filter((one) => !files.has(one));
  }
  const manifest = nearest(tree, path, manifestNames);
  const terms = nearest(tree, path, licenseNames);
  const companions = [...files.keys()]
    .flatMap((one) => definitionBeside(one) ?? [])
    .filter((one) => tree.paths.has(one))
    .sort();
  const beside = [manifest, terms, ...companions].filter((one) => one !== undefined);
  for (const [one, data] of await tree.read(beside, signal)) files.set(one, data);
  const license = await licenseTexts(tree, path, signal);
  return { files, texts, packages: [...packages].sort(), manifest, license, companions };
}

function resolveIn(tree: Tree, from: string, specifier: string): string {
  const target = posix.normalize(posix.join(posix.dirname(from), specifier));
  if (target.startsWith('../') || target === '..') {
    throw new WeirError('bad_component', `${from} imports ${specifier}, which lies outside of it.`);
  }
  const candidates = [
    ...endings.map((ending) => target + ending),
    // TypeScript's own names for what is compiled.
    ...(/\.m?js$/.test(target) ? [target.replace(/js$/, 'ts')] : []),
    ...endings.slice(1).map((ending) => posix.join(target, `index${ending}`)),
  ];
  const found = candidates.find((one) => tree.paths.has(one));
  if (found !== undefined) return found;
  throw new WeirError('bad_component', `${from} imports ${specifier}, which is not there.`);
}

/** `@scope/name/file` → `@scope/name`; undefined for files, URLs, and modules of Node. */
function packageIn(specifier: string): string | undefined {
  if (/^(?:node:|[a-z]+:\/\/|[./#])/i.test(specifier)) return undefined;
  const [, name] =
    /^((?:@[\w.~-]+\/)?[A-Za-z0-9][\w.~-]*)(?:@[^/]+)?(?:\/|$)/.exec(specifier) ?? [];
  return name === undefined || isBuiltin(name) ? undefined : name;
}
