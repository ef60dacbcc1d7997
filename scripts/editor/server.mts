import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Profile } from './profile.mts';

export interface WorkbenchServer {
  readonly url: string;
  /** What it printed, for the message of a failure. */
  log(): string;
  /** Ends the whole process group, extension hosts included. */
  stop(): Promise<void>;
}

const startSeconds = 60;

/**
 * Starts code-server's inner server, which is VS Code's own, on a free port of this machine.
 * @param inner code-server's `lib/vscode`
 */
export async function startServer(
  inner: string,
  profile: Profile,
  env: Readonly<Record<string, string>>,
): Promise<WorkbenchServer> {
  const options = { host: '127.0.0.1', port: '0', 'telemetry-level': 'off', ...folders(profile) };
  const flags = ['without-connection-token', 'accept-server-license-terms'];
  const args = [program(inner), ...flags.map((flag) => `--${flag}`), ...asArguments(options)];
  const child = spawn(process.execPath, args, {
    env: { ...hostEnvironment(profile), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const exited = once(child, 'exit');
  let log = '';
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`The workbench server did not start within ${startSeconds} s.\n${log}`));
    }, startSeconds * 1000);
    const read = (chunk: Buffer): void => {
      log += chunk.toString();
      // The server has no other way to tell the port it was given.
      const ready = /Extension host agent listening on (\d+)/.exec(log);
      if (ready !== null) {
        clearTimeout(timer);
        resolve(Number(ready[1]));
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('exit', (code) =>
      reject(new Error(`The workbench server ended with code ${code}.\n${log}`)),
    );
  });

  const signal = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, name);
    } catch {
      // It is gone already, which is what was wanted.
    }
  };
  // A driver that is killed half-way takes the server along.
  process.once('exit', () => signal('SIGKILL'));

  return {
    url: `http://127.0.0.1:${port}`,
    log: () => log,
    async stop() {
      signal('SIGTERM');
      const timer = setTimeout(() => signal('SIGKILL'), 3000);
      await exited;
      clearTimeout(timer);
      signal('SIGKILL');
    },
  };
}

/** Installs a VSIX as a user's `code --install-extension` does. */
export async function installVsix(inner: string, profile: Profile, file: string): Promise<void> {
  const args = [
    program(inner),
    '--accept-server-license-terms',
    ...asArguments({ 'install-extension': file, ...folders(profile) }),
  ];
  await promisify(execFile)(process.execPath, args, { env: hostEnvironment(profile) });
}

function program(inner: string): string {
  return path.join(inner, 'out', 'server-main.js');
}

function folders(profile: Profile): Record<string, string> {
  return {
    'server-data-dir': profile.server,
    'user-data-dir': profile.user,
    'extensions-dir': profile.extensions,
  };
}

function asArguments(options: Readonly<Record<string, string>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
}

/** The user's environment with the user's own folders and debug hooks taken out. */
function hostEnvironment(profile: Profile): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: profile.root,
    XDG_CONFIG_HOME: path.join(profile.root, 'config'),
    XDG_DATA_HOME: path.join(profile.root, 'data'),
    // No marketplace: nothing is looked up while the tests run.
    EXTENSIONS_GALLERY: '{}',
  };
  for (const name of ['NODE_OPTIONS', 'VSCODE_INSPECTOR_OPTIONS', 'PORT', 'PASSWORD']) {
    delete env[name];
  }
  return env;
}
