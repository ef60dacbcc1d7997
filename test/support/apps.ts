/** The apps of a folder that is a workspace: `user/` has those of its user, `weir/apps` those of the workspace. */
import { join } from 'node:path';
import { Apps } from '../../src/runtime/accounts/apps/apps.ts';
import {
  Companions,
  type CompanionsOptions,
  type PackagedCompanion,
} from '../../src/runtime/accounts/apps/companions.ts';

export interface AppsIn {
  readonly apps: Apps;
  readonly companions: Companions;
  /** What has come with components of others. */
  readonly packaged: PackagedCompanion[];
}

export function appsIn(folder: string, settings: CompanionsOptions['settings']): AppsIn {
  const packaged: PackagedCompanion[] = [];
  const companions = new Companions({
    settings,
    workspace: folder,
    dataFolder: join(folder, 'data'),
    isFetched: (path) => path.startsWith(join(folder, 'cache')),
    packages: () => Promise.resolve([...packaged]),
    report: (error) => {
      throw error;
    },
  });
  const apps = new Apps({
    userFolder: join(folder, 'user'),
    workspaceFolder: join(folder, 'weir', 'apps'),
    companions,
  });
  return { apps, companions, packaged };
}
