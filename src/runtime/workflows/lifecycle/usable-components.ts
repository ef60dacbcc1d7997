/** The components that a step may use: published ones, those of the workspace, and those of its packages. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PrepareOptions } from '../../components/prepare.ts';
import { stepCodeOf } from '../file/uses.ts';
import { filesBelow } from '../../base/files-below.ts';
import { codeFile, findComponent, packageFolders, repositoryOf } from './workspace-components.ts';

export interface UsableComponent {
  readonly key: string;
  readonly version: string;
  readonly name: string;
  readonly description: string | null;
  readonly from: 'published' | 'workspace' | 'package';
  /** Its file; null of a published one. */
  readonly path: string | null;
  /** Id of a published component. */
  readonly componentId: string | null;
}

export interface UsableOptions {
  readonly saved: PrepareOptions['saved'];
  /** The folder that contains the data folder. */
  readonly workspace: string;
  /** The file of a component of others that is locked and on this machine. */
  readonly locked: PrepareOptions['locked'];
}

/** More are of no use in a list that somebody looks through. */
const most = 5000;

/**
 * Every action that `uses: key@version` of this workflow would find, each key once, in the order in which it is
 * looked for. Files are read, not evaluated: one that does not say its key in plain text is not seen.
 * @param file absolute path of `workflow.yaml`
 */
export async function usableComponents(
  { saved, workspace }: UsableOptions,
  file: string,
  signal: AbortSignal,
): Promise<UsableComponent[]> {
  const found = new Map<string, UsableComponent>();
  const add = (one: UsableComponent | undefined): void => {
    if (one !== undefined && !found.has(one.key) && found.size < most) found.set(one.key, one);
  };
  for (const { id, definition } of saved.all()) {
    const { key, version, name, description, type } = definition;
    if (type !== 'action' || key === null || saved.published(key)?.componentId !== id) continue;
    const known = { key, version: version ?? '0.0.1', name, description };
    add({ ...known, from: 'published', path: null, componentId: id });
  }
  const folder = dirname(file);
  for (const root of new Set([workspace, await repositoryOf(folder)])) {
    for await (const path of filesBelow(root, codeFile, signal))
      add(await actionIn(path, 'workspace'));
  }
  for (const root of await installedFolders(folder)) {
    for await (const path of filesBelow(root, codeFile, signal))
      add(await actionIn(path, 'package'));
  }
  return [...found.values()];
}

/** Where the code of `key@version` is, as a deploy finds it; undefined if there is none. */
export async function usedComponent(
  { saved, workspace, locked }: UsableOptions,
  file: string,
  uses: string,
  signal: AbortSignal,
): Promise<Pick<UsableComponent, 'path' | 'componentId'> | undefined> {
  const code = stepCodeOf(uses);
  if ('wrong' in code || code.kind === 'file') return undefined;
  if (code.kind === 'foreign') {
    const path = await locked(code.reference);
    return path === undefined ? undefined : { path, componentId: null };
  }
  const { key, version } = code;
  const published = saved.published(key);
  if (published !== undefined) return { path: null, componentId: published.componentId };
  const folder = dirname(file);
  const roots = [workspace, await repositoryOf(folder), ...packageFolders(folder, key)];
  const found = await findComponent(roots, key, version, signal);
  if (found?.version === version) return { path: found.path, componentId: null };
  const path = (await locked({ kind: 'key', key, version })) ?? found?.path;
  return path === undefined ? undefined : { path, componentId: null };
}

/** The packages of the platform's components that are installed in this folder or above. */
async function installedFolders(folder: string): Promise<string[]> {
  const scope = join(folder, 'node_modules', '@pipedream');
  const names = await readdir(scope).catch((): string[] => []);
  const here = names.filter((name) => name !== 'platform').map((name) => join(scope, name));
  return dirname(folder) === folder
    ? here
    : [...here, ...(await installedFolders(dirname(folder)))];
}

async function actionIn(
  path: string,
  from: UsableComponent['from'],
): Promise<UsableComponent | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!/\btype["']?\s*:\s*["'`]action["'`]/.test(text)) return undefined;
  const said = (key: string): string | undefined =>
    new RegExp(String.raw`(?:^|[\s{,])["']?${key}["']?\s*:\s*(["'\x60])((?:\\.|(?!\1)[^\\\n])*)\1`)
      .exec(text)?.[2]
      ?.replaceAll(/\\(.)/g, '$1');
  const key = said('key');
  const version = said('version');
  if (key === undefined || version === undefined || !/^(?:@[\w-]+\/)?[\w-]+$/.test(key)) return;
  return {
    key,
    version,
    name: said('name') ?? key,
    description: said('description') ?? null,
    from,
    path,
    componentId: null,
  };
}
