/** The npm packages of a foreign component, beside its code: locked, and without their scripts (P27.9). */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { type Npm, runNpm } from '../../components/packages/npm.ts';

/** The `packages` of npm's lock file, without the root and without addresses. */
export type LockedDependencies = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface DependencyRequest {
  /** The folder that gets a `node_modules`; its `package.json` is ours. */
  readonly folder: string;
  readonly dependencies: Readonly<Record<string, string>>;
  /** Installed to the byte when it is given. */
  readonly locked: LockedDependencies | undefined;
  /** The component that needs the dependencies, for messages. */
  readonly component: string;
}

/** @throws WeirError `bad_component`, `integrity_mismatch`, `cancelled` */
export async function installDependencies(
  npm: Npm,
  { folder, dependencies, locked, component }: DependencyRequest,
  signal: AbortSignal,
): Promise<LockedDependencies> {
  for (const [name, version] of Object.entries(dependencies)) {
    if (/^npm:|^[^:/]*$/.test(version)) continue;
    throw new WeirError(
      'bad_component',
      `${component} takes ${name} from "${version.slice(0, 200)}", which is not a version of an npm package: that cannot be locked.`,
    );
  }
  const manifest = { name: 'weir-component', private: true, version: '0.0.0', dependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const lockFile = join(folder, 'package-lock.json');
  if (locked !== undefined) {
    const { name, version } = manifest;
    const packages = { '': { name, version, dependencies }, ...locked };
    const lock = { name, version, lockfileVersion: 3, requires: true, packages };
    await writeFile(lockFile, JSON.stringify(lock));
  }
  // With its own prefix npm reads no `.npmrc` and no workspaces of folders above.
  const how = ['--prefix', folder, '--omit=dev', '--package-lock=true'];
  const run = async (...command: string[]) =>
    (await runNpm(npm, folder, [...command, ...how], signal)).failure;
  let failure = locked === undefined ? await run('install') : await run('ci', '--prefer-offline');
  // npm's cached data of a package may be older than the locked version.
  if (locked !== undefined && failure?.code === 'ETARGET') failure = await run('ci');
  if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
  if (failure !== undefined) {
    if (failure.code === 'EINTEGRITY') {
      throw new WeirError(
        'integrity_mismatch',
        `A package that ${component} depends on has other bytes than when it was locked: ${failure.summary}`,
      );
    }
    throw new WeirError(
      'bad_component',
      `The packages that ${component} depends on could not be installed (${failure.code}: ${failure.summary}).`,
    );
  }
  const { packages = {} } = JSON.parse(await readFile(lockFile, 'utf8')) as {
    packages?: Record<string, Record<string, unknown>>;
  };
  return Object.fromEntries(
    Object.entries(packages)
      .filter(([path]) => path !== '')
      .map(([path, { resolved: _, funding: __, ...rest }]) => [path, rest]),
  );
}

export function hashOf(locked: LockedDependencies): string {
  return createHash('sha256').update(JSON.stringify(locked)).digest('hex');
}
