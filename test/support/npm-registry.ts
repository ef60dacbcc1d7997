/** A real npm registry for tests: Verdaccio in a process of its own. As a global setup of vitest it is installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../../scripts/editor/free-port.mts';
import { installPinned } from '../../scripts/npm.mts';
import { type AtEnd, atEndOfTest } from './at-end.ts';
import { type CliRun, gather } from './cli.ts';
import { temporaryFolder } from './folder.ts';
import { until } from './until.ts';

const installed = resolve('test/registry-server');

/** The first time, and whenever the version changes. */
export async function setup(): Promise<void> {
  await installPinned(installed, console.log);
}

export interface TestRegistry {
  /** `http://127.0.0.1:…/` */
  readonly url: string;
  /** Where it keeps `<package>/package.json` and the tarballs beside it. */
  readonly storage: string;
  /** Makes a user. @returns their token */
  addUser(name: string): Promise<string>;
  /** A user-level `.npmrc` that knows this registry as the default one, with the token when it is given. */
  npmrc(token?: string): string;
  /**
   * What npm needs in its environment to work with that file, and with a cache of its own that is empty at
   * first: an npm of one test shares nothing with the machine's user, nor with another test.
   */
  environment(npmrc: string): Record<string, string>;
  /** Ends it at this moment; its storage stays. */
  kill(): Promise<void>;
  /** After `kill`: at the same address, with what it had. */
  start(): Promise<void>;
}

export interface TestRegistryOptions {
  readonly atEnd?: AtEnd;
  /** Scopes that only users read, such as `@private`; anybody reads all others, and any user publishes. */
  readonly privateScopes?: readonly string[];
}

/**
 * Starts one without any package: it asks no other registry. It ends with the test, or with what `atEnd` says.
 */
export async function startNpmRegistry(options: TestRegistryOptions = {}): Promise<TestRegistry> {
  const { atEnd = atEndOfTest, privateScopes = ['@private'] } = options;
  const folder = temporaryFolder(atEnd);
  const storage = join(folder, 'storage');
  mkdirSync(storage);
  const config = join(folder, 'config.yaml');
  writeFileSync(config, settings(folder, storage, privateScopes));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  let server: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (server === undefined) return;
    const exited = server.exitCode === null ? once(server, 'exit') : undefined;
    server.kill('SIGKILL');
    server = undefined;
    await exited;
  };
  const start = async (): Promise<void> => {
    const program = join(installed, 'node_modules/verdaccio/bin/verdaccio');
    const listen = `127.0.0.1:${port}`;
    const child = spawn(process.execPath, [program, '--config', config, '--listen', listen], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    server = child;
    const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
    await until('the npm registry to answer', async () => {
      if (child.exitCode !== null) throw new Error(`Verdaccio ended: ${stdout()}${stderr()}`);
      return fetch(new URL('-/ping', url)).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  };
  await start();
  atEnd(kill);
  let files = 0;
  const next = (name: string) => join(folder, `${name}-${++files}`);
  return {
    url,
    storage,
    kill,
    start,
    async addUser(name) {
      const response = await fetch(new URL(`-/user/org.couchdb.user:${name}`, url), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, password: `password-of-${name}` }),
      });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return ((await response.json()) as { token: string }).token;
    },
    npmrc(token) {
      const file = next('npmrc');
      const login = token === undefined ? '' : `//127.0.0.1:${port}/:_authToken=${token}\n`;
      writeFileSync(file, `registry=${url}\n${login}`);
      return file;
    },
    environment: (npmrc) => ({
      npm_config_userconfig: npmrc,
      npm_config_cache: next('cache'),
      npm_config_registry: url,
    }),
  };
}

/** Runs the npm on the PATH, as a person does. @param env more of its environment, such as `environment()` */
export function runNpm(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Omit<CliRun, 'json'>> {
  const child = spawn('npm', args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  return new Promise((ended, failed) => {
    child.on('error', failed);
    child.on('close', (code) => ended({ code, stdout: stdout(), stderr: stderr() }));
  });
}

function settings(folder: string, storage: string, privateScopes: readonly string[]): string {
  const writing = '    publish: $authenticated\n    unpublish: $authenticated\n';
  const closed = privateScopes.map(
    (scope) => `  '${scope}/*':\n    access: $authenticated\n${writing}`,
  );
  return [
    `storage: ${JSON.stringify(storage)}`,
    'auth:',
    '  htpasswd:',
    `    file: ${JSON.stringify(join(folder, 'htpasswd'))}`,
    'uplinks: {}',
    'packages:',
    ...closed,
    `  '**':\n    access: $all\n${writing}`,
    // A test publishes more in a minute than a person does.
    'userRateLimit:\n  windowMs: 1000\n  max: 10000',
    'log: { type: stdout, format: pretty, level: warn }',
    '',
  ].join('\n');
}
