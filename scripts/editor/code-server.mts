import { copyFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, makeOnce } from '../cache.mts';
import { npm } from '../npm.mts';

/**
 * A real VS Code workbench from npm alone: code-server, fetched on demand into the user's cache.
 * It is not a devDependency because its install scripts refuse the Node versions contributors have;
 * without them everything works, terminals included.
 */
const version = '4.139.1';
const inner = path.join('node_modules', 'code-server', 'lib', 'vscode');

/** Returns the folder of the workbench server (`lib/vscode`), fetching it first when it is missing. */
export async function fetchCodeServer(say: (line: string) => void): Promise<string> {
  const folder = path.join(cacheFolder, `code-server-${version}`);
  await makeOnce(folder, async (building) => {
    say(`fetching code-server ${version} once (about a minute) into ${folder}`);
    await writeFile(path.join(building, 'package.json'), '{"private":true}\n');
    await npm(building, ['install', '--ignore-scripts', `code-server@${version}`]);
    const server = path.join(building, inner);
    // What code-server's install script does, minus the native builds.
    for (const part of [server, path.join(server, 'extensions')]) {
      await npm(part, ['install', '--ignore-scripts', '--omit=dev']);
    }
    await trim(server);
  });
  return path.join(folder, inner);
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
