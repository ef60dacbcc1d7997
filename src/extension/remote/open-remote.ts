import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { asRemote } from '../../client/remote/as-remote.ts';
import type { Project } from '../../client/remote/upload.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { originOf, projectName } from './project-name.ts';
import type { RemoteRuntime } from './runtimes.ts';

/**
 * Connects to a runtime on another machine.
 * @param root absolute path of the folder whose files it gets
 * @param machine tells this machine from others: a project without an origin belongs to it alone
 * @throws WeirError as `connect`
 */
export async function openRemote(
  { name, url, key }: RemoteRuntime,
  root: string,
  machine: string,
): Promise<RuntimeClient> {
  const project = await projectOf(root, machine);
  const { connect } = await loadConnection();
  const connection = await connect({ url, apiKey: key });
  return Object.assign(await asRemote(connection, project, name), { url, isRemote: true });
}

/** A bundle of its own (scripts/bundles.mts). */
const loadConnection = () => import('../../client/connection.ts');

async function projectOf(root: string, machine: string): Promise<Project> {
  const repository = (await repositoryOf(root)) ?? `${machine} ${root}`;
  return { name: projectName(path.basename(root), repository), root };
}

/** Origin of the repository that the folder is in, and where in it; undefined without one. */
async function repositoryOf(root: string): Promise<string | undefined> {
  for (let folder = root; ; folder = path.dirname(folder)) {
    const config = await readFile(path.join(folder, '.git', 'config'), 'utf8').catch(() => '');
    const origin = originOf(config);
    if (origin !== undefined) {
      return `${origin} ${path.relative(folder, root).split(path.sep).join('/')}`;
    }
    if (config !== '' || folder === path.dirname(folder)) return undefined;
  }
}
