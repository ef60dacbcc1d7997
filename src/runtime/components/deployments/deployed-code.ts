import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WeirError } from '../../../protocol/errors.ts';
import { mapName } from '../bundle/bundle.ts';
import type { Deployment } from './deployment.ts';

/**
 * The text of a component's own file as it was bundled: the file on disk may have changed since, or be
 * gone. The bundle itself where its source map does not hold it.
 * @throws WeirError `not_found` when the deployment's folder is gone
 */
export async function deployedCode({ folder, bundle, path }: Deployment): Promise<string> {
  try {
    const map = JSON.parse(await readFile(join(folder, mapName), 'utf8')) as SourceMap;
    const place = map.sources.findIndex((source) => fileOf(source, folder) === path);
    return map.sourcesContent?.[place] ?? (await readFile(bundle, 'utf8'));
  } catch (error) {
    throw new WeirError('not_found', `The code in ${folder} cannot be read.`, undefined, error);
  }
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly string[];
}

function fileOf(source: string, folder: string): string {
  return source.startsWith('file:') ? fileURLToPath(source) : resolve(folder, source);
}
