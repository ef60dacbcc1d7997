/** A deployment as bytes, for nodes that share a database and no disk. */
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { mapName } from '../bundle/bundle.ts';
import { bundleHash, type Manifest, writeDeployment } from './deployment-folder.ts';
import type { Deployment } from './deployment.ts';

interface Packed extends Manifest {
  readonly code: string;
  readonly map: string;
  /** The original folder of each package, and its name. */
  readonly links: readonly (readonly [target: string, name: string])[];
}

export async function packDeployment({
  folder,
  bundle,
  path,
  inputs,
  appKeys,
}: Deployment): Promise<Uint8Array> {
  const [code, map, links] = await Promise.all([
    readFile(bundle, 'utf8'),
    readFile(join(folder, mapName), 'utf8'),
    linksIn(join(folder, 'node_modules')),
  ]);
  const packed: Packed = { code, map, links, path, inputs, ...(appKeys && { appKeys }) };
  return promisify(gzip)(JSON.stringify(packed));
}

/**
 * Writes it, whole or not at all.
 * @returns undefined when it is not what the hash says, or has packages that are not on this machine
 */
export async function unpackDeployment(
  deployments: string,
  hash: string,
  bytes: Uint8Array,
): Promise<Deployment | undefined> {
  const text = (await promisify(gunzip)(bytes)).toString('utf8');
  const { code, map, links, ...manifest } = JSON.parse(text) as Packed;
  const bundle = { code: Buffer.from(code), map: Buffer.from(map), links: new Map(links) };
  if (bundleHash(bundle) !== hash) return undefined;
  if (!links.every(([target]) => existsSync(target))) return undefined;
  return writeDeployment(deployments, bundle, manifest);
}

/** `NAME`, or `@SCOPE/NAME`. */
async function linksIn(modules: string): Promise<(readonly [string, string])[]> {
  if (!existsSync(modules)) return [];
  const names: string[] = [];
  for (const name of await readdir(modules)) {
    if (!name.startsWith('@') || (await lstat(join(modules, name))).isSymbolicLink()) {
      names.push(name);
    } else {
      for (const inner of await readdir(join(modules, name))) names.push(`${name}/${inner}`);
    }
  }
  return Promise.all(
    names.map(async (name) => [await readlink(join(modules, name)), name] as const),
  );
}
