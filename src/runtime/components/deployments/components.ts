import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { isAppFile } from '../../../protocol/app-files.ts';
import type { Hosts } from '../../processes/host.ts';
import type { CodeTable } from '../../store/code.ts';
import { removeTemporaryFolders } from '../../base/temporary-folders.ts';
import { appKeysOf } from '../bundle/app-keys.ts';
import { bundleWithPackages } from '../bundle/bundle-with-packages.ts';
import { withSourcesAsReached } from '../bundle/source-map.ts';
import type { InstallPolicy } from '../../base/install-policy.ts';
import { Packages } from '../packages/packages.ts';
import type { Components } from './deployment.ts';
import { isHash, readDeployment, writeDeployment } from './deployment-folder.ts';
import { entryFile } from './entry-file.ts';
import { unpackDeployment } from './packed-deployment.ts';

export interface ComponentsOptions {
  /** `<data>/deployments`; made when it is missing. */
  readonly folder: string;
  /** `<data>/packages`: packages that Weir installed for components without `node_modules`. */
  readonly packagesFolder: string;
  readonly hosts: Pick<Hosts, 'start'>;
  /** Setting `weir.npm.path`. */
  readonly npmPath?: string | undefined;
  /** npm's environment; this process's unless given. */
  readonly env?: NodeJS.ProcessEnv;
  /** The table where nodes share code. */
  readonly code?: Pick<CodeTable, 'get'> | undefined;
  /** Setting `weir.packages.install`; `always` unless given. */
  readonly installPolicy?: InstallPolicy | undefined;
  /** Called with absolute paths: the bundled file, and the files of apps in the bundle, including those of packages. */
  readonly usesAppFiles?: (entry: string, files: readonly string[]) => void;
}

/** From a file to an immutable deployment, and from there to a component host. */
export function createComponents(options: ComponentsOptions): Components {
  const { folder, hosts, usesAppFiles } = options;
  const packages = new Packages({
    folder: options.packagesFolder,
    npmPath: options.npmPath,
    env: options.env ?? process.env,
    policy: options.installPolicy ?? 'always',
  });
  const openFolder = async (): Promise<string> => {
    await mkdir(folder, { recursive: true });
    await Promise.all([folder, options.packagesFolder].map(removeTemporaryFolders));
    // A debugger resolves the source map's relative paths against the real path.
    return realpath(folder);
  };
  let opened: Promise<string> | undefined;
  const deployments = () => (opened ??= openFolder());

  const removeFolders = async (hashes: readonly string[]): Promise<void> => {
    const parent = await deployments();
    await Promise.all(
      hashes.filter(isHash).map((hash) => rm(join(parent, hash), { recursive: true, force: true })),
    );
  };

  return {
    async build(path, options = {}) {
      const file = await entryFile(path);
      const parent = await deployments();
      options.progress?.(`Bundling ${basename(path)}`);
      const built = await bundleWithPackages(file, join(parent, 'hash'), packages, options);
      const inputs = built.files.filter((input) => !input.includes(`${sep}node_modules${sep}`));
      const map = await withSourcesAsReached(built.map, join(parent, 'hash'), path, file);
      const appKeys = await appKeysOf(built.files);
      usesAppFiles?.(file, built.files.filter(isAppFile));
      return writeDeployment(parent, { ...built, map }, { path, inputs, appKeys });
    },
    async get(hash) {
      if (!isHash(hash)) return undefined;
      const parent = await deployments();
      const found = await readDeployment(parent, hash);
      const packed = found === undefined ? await options.code?.get(hash) : undefined;
      return packed === undefined ? found : unpackDeployment(parent, hash, packed);
    },
    learnExternal: (error) => packages.sloppy.learnFromLoad(error),
    folder: deployments,
    open: (deployment, wanted) => hosts.start({ ...wanted, bundle: deployment.bundle }),
    remove: removeFolders,
    async removeAllBut(hashes) {
      const names = await readdir(await deployments());
      await removeFolders(names.filter((name) => !hashes.has(name)));
    },
  };
}
