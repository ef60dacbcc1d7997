import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  downloadAndUnzipVSCode,
  resolveCliPathFromVSCodeExecutablePath,
  runTests,
} from '@vscode/test-electron';
import { fetchStableVersions } from '@vscode/test-electron/out/download.js';
import path from 'node:path';
import { cacheFolder } from '../cache.mts';
import { freePort } from './free-port.mts';
import { createProfile, sessionProviderFolder } from './profile.mts';
import type { Editor, EditorOptions } from './editor.mts';

const projectFolder = path.resolve(import.meta.dirname, '..', '..');
const harnessFolder = path.join(import.meta.dirname, 'harness');

export type Desktop =
  | { readonly executable: string; readonly why: string }
  | { readonly executable: null; readonly why: string };

/** A desktop VS Code (VSCODE_EXECUTABLE, else downloaded), or why there is none. */
export async function findDesktop(env: NodeJS.ProcessEnv = process.env): Promise<Desktop> {
  const chosen = env['VSCODE_EXECUTABLE'];
  if (chosen !== undefined && chosen !== '') {
    await access(chosen);
    return { executable: chosen, why: 'VSCODE_EXECUTABLE names it' };
  }
  if (process.platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) {
    return { executable: null, why: 'there is no display for a desktop VS Code' };
  }
  try {
    await fetchStableVersions(true, 5000);
  } catch {
    return { executable: null, why: 'VS Code cannot be downloaded from here' };
  }
  const executable = await downloadAndUnzipVSCode({ version: 'stable', cachePath: cacheFolder });
  return { executable, why: 'it was downloaded' };
}

/** VS Code on the desktop, through @vscode/test-electron. */
export async function launchDesktop(executable: string, options: EditorOptions): Promise<Editor> {
  const profile = await createProfile({}, options.settings);
  const folders = [`--user-data-dir=${profile.user}`, `--extensions-dir=${profile.extensions}`];
  if (options.vsix !== undefined) {
    const command = resolveCliPathFromVSCodeExecutablePath(executable);
    const shell = process.platform === 'win32';
    await promisify(execFile)(command, ['--install-extension', options.vsix, ...folders], {
      shell,
    });
  }
  const debugPort = await freePort();
  const code = runTests({
    vscodeExecutablePath: executable,
    // VS Code runs tests beside an extension in development only; the harness does nothing there.
    extensionDevelopmentPath: [
      options.vsix === undefined ? projectFolder : harnessFolder,
      sessionProviderFolder,
    ],
    extensionTestsPath: options.entry,
    launchArgs: [options.workspace, ...folders, `--remote-debugging-port=${debugPort}`],
    extensionTestsEnv: { ...options.env, WEIR_TEST_CDP: `http://127.0.0.1:${debugPort}` },
  });
  const over = code.then(
    (status) => `VS Code ended with exit code ${status}`,
    (error: unknown) => `VS Code ended: ${String(error)}`,
  );
  return {
    ended: over.then((sentence) => {
      throw new Error(`${sentence} before the tests did.`);
    }),
    // The window ends with its extension host.
    closeWindow: () => Promise.resolve(),
    screenshot: () => Promise.resolve(),
    log: () => '',
    async stop() {
      await over;
      await profile.remove();
    },
  };
}
