import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { npm } from '../npm.mts';

/**
 * A real VS Code workbench from npm alone: code-server, fetched on demand into the user's cache.
 * It is not a devDependency because its install scripts refuse the Node versions contributors have;
 * without them everything works, terminals included.
 */
const version = '4.139.1';

/** Where downloads that are not dependencies live, shared by all clones of the project. */
export const cacheFolder = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'weir',
);

/** Returns the folder of the workbench server (`lib/vscode`), fetching it first when it is missing. */
export async function fetchCodeServer(say: (line: string) => void): Promise<string> {
  const folder = path.join(cacheFolder, `code-server-${version}`);
  const inner = path.join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  if (await exists(inner)) return inner;

  say(`fetching code-server ${version} once (about a minute) into ${folder}`);
  // Built aside and renamed, so that an interrupted download is never taken for a whole one.
  const building = `${folder}.${process.pid}`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  try {
    await writeFile(path.join(building, 'package.json'), '{"private":true}\n');
    await npm(building, ['install', '--ignore-scripts', `code-server@${version}`]);
    const server = path.join(building, 'node_modules', 'code-server', 'lib', 'vscode');
    // What code-server's install script does, minus the native builds.
    for (const part of [server, path.join(server, 'extensions')]) {
      await npm(part, ['install', '--ignore-scripts', '--omit=dev']);
    }
    await trim(server);
    await rename(building, folder);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    // Another run may have finished the same download first.
    if (!(await exists(inner))) throw error;
  }
  return inner;
}

async function trim(server: string): Promise<void> {
  // Without its native logger VS Code's output channels, which are log files, stay empty.
  await copyFile(
    path.join(import.meta.dirname, 'spdlog.cjs'),
    path.join(server, 'node_modules', '@vscode', 'spdlog', 'index.js'),
  );
  for (const unused of ['copilot', 'mermaid-markdown-features']) {
    await rm(path.join(server, 'extensions', unused), { recursive: true, force: true });
  }
  for (const entry of await readdir(server, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.map')) {
      await rm(path.join(entry.parentPath, entry.name));
    }
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
