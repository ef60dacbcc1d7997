/** A small npm registry on this machine, so that tests install for real and reach nothing else. */
import { createHash } from 'node:crypto';
import type { AtEnd } from '../../support/at-end.ts';
import { npmTarball } from '../../support/npm-tarball.ts';
import { type Answer, type Received, startReceiver } from '../../support/receiver.ts';

export interface Registry {
  /** The text of an `.npmrc` that makes npm use it. */
  readonly npmrc: (cache: string) => string;
  /** Paths that were asked for, in order. */
  readonly requests: string[];
  /** Packs a package as npm does and offers it; the newest published is the latest. */
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
      const tarball = await npmTarball({ 'package.json': JSON.stringify(manifest), ...files });
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
