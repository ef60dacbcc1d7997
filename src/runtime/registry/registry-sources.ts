/** The places of registries: their syntax, and the files that list them (P27.2). */
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { placeInside } from '../../protocol/write-inside.ts';
import { hasPassword, isRef, isRepositoryUrl } from '../../protocol/reference.ts';
import { temporaryIn } from '../base/temporary-folders.ts';

export type RegistrySource =
  /** Without a URL the one that the user's npm has for the scope. */
  | { readonly kind: 'npm'; readonly scope: string | undefined; readonly url: string | undefined }
  | { readonly kind: 'git'; readonly url: string; readonly ref: string | undefined }
  | { readonly kind: 'folder'; readonly path: string }
  /** An entry that is not a place. `why` is a sentence that names the entry and its file. */
  | { readonly kind: 'unusable'; readonly why: string };

export interface ConfiguredRegistry {
  readonly name: string;
  /** As it is written. */
  readonly text: string;
  readonly place: RegistrySource;
  readonly from: 'user' | 'workspace' | 'setting';
}

/**
 * @param base what the path of a folder is relative to
 * @throws WeirError `bad_input`
 */
export function parseRegistrySource(text: string, base: string): RegistrySource {
  if (text === 'npm' || text.startsWith('npm:')) return npmPlace(text);
  const [, owner, repository, ref] = /^github:([\w.-]+)\/([\w.-]+?)(?:#(.+))?$/.exec(text) ?? [];
  if (owner !== undefined) {
    return gitPlace(`https://github.com/${owner}/${repository ?? ''}.git`, ref, text);
  }
  const url = text.replace(/^git:(?!\/\/)/, '');
  if (isRepositoryUrl(url)) {
    const at = url.indexOf('#');
    return at === -1
      ? gitPlace(url, undefined, text)
      : gitPlace(url.slice(0, at), url.slice(at + 1), text);
  }
  if (/^[\w+.-]+:\/\//.test(text) || text.trim() === '' || text.startsWith('-')) throw wrong(text);
  return { kind: 'folder', path: resolve(base, text) };
}

function npmPlace(text: string): RegistrySource {
  const [, scope, equals, url] =
    /^npm(?::(@[a-z0-9~-][\w.~-]*)?(=)?(https?:\/\/\S+)?)?$/i.exec(text) ?? [];
  const isWhole = (scope !== undefined && url !== undefined) === (equals !== undefined);
  if (!/^npm(?:$|:.)/.test(text) || !isWhole || (text !== 'npm' && !scope && !url)) {
    throw wrong(text);
  }
  if (url !== undefined && (hasPassword(url) || !URL.canParse(url))) throw withPassword(text);
  return { kind: 'npm', scope, url: url && (url.endsWith('/') ? url : `${url}/`) };
}

function gitPlace(url: string, ref: string | undefined, text: string): RegistrySource {
  if (hasPassword(url)) throw withPassword(text);
  if (ref !== undefined && !isRef(ref)) throw wrong(text);
  return { kind: 'git', url, ref };
}

function wrong(text: string): WeirError {
  return new WeirError(
    'bad_input',
    `"${text.slice(0, 200)}" is not a place of a registry: write "npm", "npm:@scope", "npm:https://host/", "npm:@scope=https://host/", the URL of a git repository, or a folder.`,
  );
}

function withPassword(text: string): WeirError {
  const shown = text.replaceAll(/(\w+:\/\/)[^/\s@]*@/g, '$1…@');
  return new WeirError(
    'bad_input',
    `"${shown}" has a password in it, or is not a URL: leave passwords to npm ("npm login") and git (a credential helper), as the place is written into a file.`,
  );
}

/** Host and path of a repository, so that HTTPS and SSH are one. */
function bareUrl(url: string): string {
  return url
    .replace(/^(?:[\w+.-]+:\/\/)?(?:[^@/]*@)?/, '')
    .replace(/^([^/:]+)(?::\d+(?=\/)|:)/, '$1/')
    .replace(/(?:\.git)?\/*$/, '')
    .replaceAll(/\/{2,}/g, '/')
    .toLowerCase();
}

/** The last word of a place. */
export function defaultRegistryName(place: RegistrySource): string {
  switch (place.kind) {
    case 'npm':
      return (
        place.scope?.slice(1) ?? (place.url === undefined ? 'npm' : new URL(place.url).hostname)
      );
    case 'git':
      return /([^/:]+?)(?:\.git)?\/*$/.exec(place.url)?.[1] ?? 'repository';
    case 'folder':
      return basename(place.path);
    case 'unusable':
      return 'unusable';
  }
}

const shape = z.object({ registries: z.record(z.string(), z.unknown()) });

export interface RegistrySourcesOptions {
  /** `registries.json` of the user's configuration. */
  readonly userFile: string;
  readonly workspace: string;
  /** The setting `registries`: JSON of an object, place by name. */
  readonly setting: string;
}

/** The files are read at each call: they are small, and edited by hand. The first entry with a name has it. */
export class RegistrySources {
  readonly #options: RegistrySourcesOptions;

  constructor(options: RegistrySourcesOptions) {
    this.#options = options;
  }

  get workspaceFile(): string {
    return join(this.#options.workspace, 'weir', 'registries.json');
  }

  /** An entry that is no place is among them, as `unusable`. @throws WeirError `bad_input` for a file that cannot be read */
  all(): ConfiguredRegistry[] {
    const { userFile, workspace, setting } = this.#options;
    const found = new Map<string, ConfiguredRegistry>();
    const add = (
      from: ConfiguredRegistry['from'],
      base: string,
      where: string,
      registries: Readonly<Record<string, unknown>>,
    ): void => {
      for (const [name, value] of Object.entries(registries)) {
        if (found.has(name)) continue;
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        found.set(name, { name, text, place: placeIn(value, base, name, where), from });
      }
    };
    const { workspaceFile } = this;
    add('user', dirname(userFile), userFile, readPlaces(userFile));
    const named = 'the setting weir.registries';
    add('setting', workspace, named, parsedPlaces(setting, 'The setting registries'));
    add('workspace', workspace, workspaceFile, readPlaces(workspaceFile));
    return [...found.values()];
  }

  /** Whether a registry is at the same place as this text names, under whatever name and branch. */
  has(text: string): boolean {
    const asked = parseRegistrySource(text, this.#options.workspace);
    return this.all().some(({ place }) =>
      place.kind === 'git' && asked.kind === 'git'
        ? bareUrl(place.url) === bareUrl(asked.url)
        : isDeepStrictEqual(place, asked),
    );
  }

  /**
   * The registry that would be added.
   * @throws WeirError `conflict` for a name that is taken, `bad_input` for an invalid place
   */
  check(text: string, given: string | undefined): Omit<ConfiguredRegistry, 'from'> {
    const place = parseRegistrySource(text, this.#options.workspace);
    const name = given ?? defaultRegistryName(place);
    if (!/^[\w.@-]{1,60}$/.test(name)) {
      throw new WeirError(
        'bad_input',
        `"${name.slice(0, 60)}" cannot be the name of a registry: use letters, digits, "-", "_" and ".".`,
      );
    }
    const known = this.all().find((one) => one.name === name);
    if (known !== undefined) {
      throw new WeirError(
        'conflict',
        `There is a registry ${name} already (${known.text}); give this one another name.`,
      );
    }
    return { name, text, place };
  }

  /** @param checked what `check` has looked at */
  async add(
    { name, text, place }: Omit<ConfiguredRegistry, 'from'>,
    forUser: boolean,
  ): Promise<ConfiguredRegistry> {
    const file = forUser ? this.#options.userFile : this.workspaceFile;
    const written = place.kind === 'folder' ? this.#folderText(place.path, forUser) : text;
    const root = forUser ? undefined : this.#options.workspace;
    await write(root, file, { ...readPlaces(file), [name]: written });
    return { name, text: written, place, from: forUser ? 'user' : 'workspace' };
  }

  /** @throws WeirError `not_found`, `conflict` for one that a setting has */
  async remove(name: string): Promise<void> {
    const known = this.all().find((one) => one.name === name);
    if (known === undefined) throw unknownRegistry(name, this.all());
    if (known.from === 'setting') {
      throw new WeirError(
        'conflict',
        `The registry ${name} stands in the setting weir.registries: remove it there.`,
      );
    }
    const file = known.from === 'user' ? this.#options.userFile : this.workspaceFile;
    const { [name]: _, ...left } = readPlaces(file);
    await write(known.from === 'user' ? undefined : this.#options.workspace, file, left);
  }

  /** Others have the workspace at another path. */
  #folderText(path: string, forUser: boolean): string {
    const { workspace } = this.#options;
    if (forUser) return path;
    const from = relative(workspace, path).split(sep).join('/');
    return isAbsolute(from) ? path : from === '' ? '.' : from;
  }
}

export function unknownRegistry(name: string, known: readonly ConfiguredRegistry[]): WeirError {
  const names = known.map((one) => one.name).join(', ');
  const there = names === '' ? 'none is configured' : `there are ${names}`;
  return new WeirError('not_found', `There is no registry "${name.slice(0, 60)}"; ${there}.`);
}

/** @param where the file, or the setting */
function placeIn(value: unknown, base: string, name: string, where: string): RegistrySource {
  try {
    if (typeof value !== 'string') throw wrong(JSON.stringify(value));
    return parseRegistrySource(value, base);
  } catch (error) {
    const why = `The registry ${name} in ${where} cannot be used: ${messageOf(error)}`;
    return { kind: 'unusable', why };
  }
}

function readPlaces(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return shape.parse(JSON.parse(text)).registries;
  } catch (error) {
    throw new WeirError('bad_input', `${file} must be {"registries": {"name": "place"}}.`, [
      { message: messageOf(error), file },
    ]);
  }
}

function parsedPlaces(text: string, what: string): Readonly<Record<string, unknown>> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    throw new WeirError('bad_input', `${what} must be a JSON object, {"name": "place"}.`);
  }
}

/**
 * @param root undefined for a file of the user's own, who may link it anywhere
 * @throws WeirError `bad_input` where a link leads out of the root
 */
async function write(
  root: string | undefined,
  named: string,
  registries: Readonly<Record<string, unknown>>,
): Promise<void> {
  const file = root === undefined ? named : await placeInside(root, named);
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  const temporary = temporaryIn(folder);
  try {
    await writeFile(temporary, `${JSON.stringify({ registries }, null, 2)}\n`);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** @throws WeirError `bad_input` */
export async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new WeirError('bad_input', `There is no folder ${path}, and it is not a URL either.`);
  }
}
