/** A small npm registry on this machine, so that tests install for real and reach nothing else. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { AtEnd } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type Answer, type Received, startReceiver } from '../../support/receiver.ts';

export interface Registry {
  /** The text of an `.npmrc` that makes npm use it. */
  readonly npmrc: (cache: string) => string;
  /** Paths that were asked for, in order. */
  readonly requests: string[];
  /** Packs a package with the real npm and offers it; the newest published is the latest. */
  publish(manifest: Manifest, files: Readonly<Record<string, string>>): Promise<void>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [key: string]: unknown;
}

interface Packument {
  readonly name: string;
  readonly 'dist-tags': Record<string, string>;
  readonly versions: Record<string, unknown>;
}

/** npm without what an `npm run` or `npx` around the tests told it. */
export const npmEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_')),
);

export async function startRegistry(atEnd?: AtEnd): Promise<Registry> {
  const folder = temporaryFolder(atEnd);
  const packuments = new Map<string, Packument>();
  const tarballs = new Map<string, Buffer>();
  const requests: string[] = [];
  const answer = (received: Received): Answer => {
    const path = decodeURIComponent(received.url).slice(1);
    requests.push(path);
    const body = tarballs.get(path) ?? packuments.get(path);
    return body === undefined ? { status: 404, body: { error: 'not_found' } } : { body };
  };
  const { url } = await startReceiver({ answer, atEnd });

  return {
    requests,
    // Each with a cache of its own: npm would take a tarball it knows from there.
    npmrc: (cache) => `registry=${url}\ncache=${cache}\n`,
    async publish(manifest, files) {
      const { name, version } = manifest;
      const tarball = await pack(join(folder, encodeURIComponent(`${name}@${version}`)), {
        'package.json': JSON.stringify(manifest),
        ...files,
      });
      const path = `${name}/-/${version}.tgz`;
      tarballs.set(path, tarball);
      const before = packuments.get(name);
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      packuments.set(name, {
        name,
        'dist-tags': { latest: version },
        versions: {
          ...before?.versions,
          [version]: { ...manifest, dist: { tarball: `${url}/${path}`, integrity } },
        },
      });
    },
  };
}

async function pack(folder: string, files: Readonly<Record<string, string>>): Promise<Buffer> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  const { stdout } = await promisify(execFile)('npm', ['pack', '--silent'], {
    cwd: folder,
    env: npmEnvironment,
  });
  return readFile(join(folder, stdout.trim()));
}
