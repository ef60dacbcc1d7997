import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Fresh folders for one VS Code, so that nothing of an earlier run or of the user is seen. */
export interface Profile {
  readonly root: string;
  readonly user: string;
  readonly extensions: string;
  readonly server: string;
  readonly browser: string;
  remove(): Promise<void>;
}

/** Everything that talks to the network or covers the interface under test is off. */
const quietSettings = {
  'security.workspace.trust.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  // No picture is taken of something half faded in.
  'workbench.reduceMotion': 'on',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  // The operating system's dialog is out of a test's reach.
  'files.simpleDialog.enable': true,
  // Else a toast for every port that opens on the machine covers the interface.
  'remote.autoForwardPorts': false,
  'window.menuBarVisibility': 'classic',
  'debug.openDebug': 'neverOpen',
  'debug.internalConsoleOptions': 'neverOpen',
};

/** An extension of the tests with an authentication provider. */
export const sessionProviderFolder = path.resolve(
  import.meta.dirname,
  '../../test/editor/session-provider',
);

/** Folders of extensions to install by link, under the name VS Code expects. */
export type Installed = Readonly<Record<string, string>>;

/** @param settings wins over what keeps it quiet */
export async function createProfile(
  installed: Installed,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Profile> {
  // Short, because the path of a Unix socket, which VS Code makes inside, may be 107 bytes long.
  const root = await mkdtemp(path.join(tmpdir(), 'weir-vsc-'));
  const folder = (name: string): string => path.join(root, name);
  const profile: Profile = {
    root,
    user: folder('user'),
    extensions: folder('ext'),
    server: folder('server'),
    browser: folder('chrome'),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
  for (const made of [profile.extensions, profile.server, profile.browser]) {
    await mkdir(made, { recursive: true });
  }
  const chosen = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
  for (const scope of ['User', 'Machine']) {
    const place = path.join(profile.user, scope);
    await mkdir(place, { recursive: true });
    await writeFile(path.join(place, 'settings.json'), chosen);
  }
  for (const [name, target] of Object.entries(installed)) {
    await symlink(target, path.join(profile.extensions, name), 'junction');
  }
  return profile;
}
