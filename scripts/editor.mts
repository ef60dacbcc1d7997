import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from './cache.mts';
import { fetchCodeServer } from './editor/code-server.mts';
import { findDesktop } from './editor/desktop.mts';
import { createProfile } from './editor/profile.mts';
import { startServer } from './editor/server.mts';

/**
 * Opens the examples in a real VS Code with the extension loaded: `code` on the PATH, else a
 * downloaded VS Code, else code-server with its URL printed.
 *
 *     npm run editor [folder]
 */
const projectFolder = path.resolve(import.meta.dirname, '..');
const folder = path.resolve(process.argv[2] ?? (await examples()));

const code = process.platform === 'win32' ? 'code.cmd' : 'code';
const development = [`--extensionDevelopmentPath=${projectFolder}`, folder];
if (spawnSync(code, ['--version'], { shell: process.platform === 'win32' }).status === 0) {
  console.log(`Opening ${folder} in ${code}.`);
  spawn(code, development, { stdio: 'inherit', shell: process.platform === 'win32' });
} else {
  const desktop = await findDesktop();
  if (desktop.executable === null) await serve(desktop.why);
  else spawn(desktop.executable, development, { stdio: 'inherit' });
}

/** A copy, so that what is tried out leaves no trace in the project. */
async function examples(): Promise<string> {
  const copy = path.join(cacheFolder, 'examples');
  await mkdir(copy, { recursive: true });
  await cp(path.join(projectFolder, 'examples'), copy, { recursive: true, force: false });
  return copy;
}

async function serve(why: string): Promise<void> {
  console.log(`No desktop VS Code: ${why}. Starting code-server.`);
  const inner = await fetchCodeServer(console.log);
  const profile = await createProfile({ 'weir.weir-0.1.0': projectFolder });
  const server = await startServer(inner, profile, {});
  console.log(`Open ${server.url}/?folder=${encodeURIComponent(folder)} (Ctrl+C ends it)`);
  const stop = (): void => {
    void server
      .stop()
      .then(() => profile.remove())
      .then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}
