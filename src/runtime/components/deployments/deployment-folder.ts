import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleName, mapName } from '../bundle/bundle.ts';
import type { LinkedBundle } from '../bundle/bundle-with-packages.ts';
import type { AppKeys } from '../bundle/app-keys.ts';
import type { Deployment } from './deployment.ts';
import { temporaryIn } from '../../base/temporary-folders.ts';
import type { Links } from '../packages/links.ts';

/** `deployment.json`, beside the bundle. */
export interface Manifest {
  readonly path: string | null;
  readonly inputs: readonly string[];
  /** Absent for deployments that were made before it was recorded. */
  readonly appKeys?: AppKeys;
}

const manifestName = 'deployment.json';

/**
 * Covers what a bundle does *and* where its lines came from: a debugger reads the source map of the
 * folder that runs, so the same code at another place is another deployment.
 */
export function bundleHash(bundle: Pick<LinkedBundle, 'code' | 'map' | 'links'>): string {
  const hash = createHash('sha256').update(bundle.code).update('\0').update(bundle.map);
  const links = [...bundle.links].map(([target, name]) => `\0${name}\0${target}`);
  for (const link of links.sort()) hash.update(link);
  return hash.digest('hex');
}

/** SHA-256 in hex; deployments of Weir 0.1 are named by its first half. */
export function isHash(text: string): boolean {
  return /^(?:[0-9a-f]{32}){1,2}$/.test(text);
}

/**
 * Writes a deployment, or finds that it is there already. The folder appears complete or not at all,
 * and is on disk when this resolves: a deploy that was acknowledged outlives a power cut.
 */
export async function writeDeployment(
  deployments: string,
  bundle: Pick<LinkedBundle, 'code' | 'map' | 'links'>,
  manifest: Manifest,
): Promise<Deployment> {
  const hash = bundleHash(bundle);
  const folder = join(deployments, hash);
  const deployment = { hash, folder, bundle: join(folder, bundleName), ...manifest };
  if ((await readDeployment(deployments, hash)) !== undefined) return deployment;

  const temporary = temporaryIn(deployments);
  await mkdir(temporary, { recursive: true });
  try {
    await writeSynced(join(temporary, bundleName), bundle.code);
    await writeSynced(join(temporary, mapName), bundle.map);
    await writeSynced(join(temporary, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    await linkPackages(join(temporary, 'node_modules'), bundle.links);
    await syncFolder(temporary);
    await replaceFolder(temporary, folder, deployments, hash);
    await syncFolder(deployments);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return deployment;
}

/** Undefined when there is no such folder, or when it is incomplete. */
export async function readDeployment(
  deployments: string,
  hash: string,
): Promise<Deployment | undefined> {
  const folder = join(deployments, hash);
  const bundle = join(folder, bundleName);
  try {
    const manifest = JSON.parse(await readFile(join(folder, manifestName), 'utf8')) as Manifest;
    await stat(bundle);
    const { path, inputs, appKeys } = manifest;
    return { hash, folder, bundle, path, inputs, ...(appKeys !== undefined && { appKeys }) };
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

/** A rename does not replace a folder that has something in it: a concurrent build's, or an incomplete one. */
async function replaceFolder(
  temporary: string,
  folder: string,
  deployments: string,
  hash: string,
): Promise<void> {
  try {
    await rename(temporary, folder);
  } catch (error) {
    if ((await readDeployment(deployments, hash)) !== undefined) return;
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
    await rm(folder, { recursive: true, force: true });
    await rename(temporary, folder);
  }
}

/** Links lead to the package where it is installed, so that it finds its own dependencies and files. */
async function linkPackages(modules: string, links: Links): Promise<void> {
  for (const [target, name] of links) {
    const link = join(modules, name);
    await mkdir(dirname(link), { recursive: true });
    // Junctions need no privilege on Windows.
    await symlink(target, link, 'junction');
  }
}

async function writeSynced(path: string, content: Uint8Array | string): Promise<void> {
  await using file = await open(path, 'wx');
  await file.writeFile(content);
  await file.sync();
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; NTFS journals the rename by itself.
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync();
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
