/**
 * Foreign clients of the Model Context Protocol: the inspector's command line, the protocol's conformance suite, and the
 * schemas that its organisation publishes, of another version than the SDK that Weir is built with. As a global setup
 * of vitest they are installed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { installPinned } from '../../scripts/npm.mts';
import { gather } from './cli.ts';

const installed = resolve('test/mcp-clients');

/** The first time, and whenever a version changes. */
export async function setup(): Promise<void> {
  await installPinned(installed, console.log);
}

export interface ClientRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `mcp-inspector --cli …`. @param home where it keeps what it keeps */
export function inspector(home: string, ...args: readonly string[]): Promise<ClientRun> {
  return run('mcp-inspector', ['--cli', ...args], home);
}

/** One scenario of the conformance suite, against a server that asks for no key. */
export function conformance(home: string, url: string, scenario: string): Promise<ClientRun> {
  return run('conformance', ['server', '--url', url, '--scenario', scenario], home);
}

async function run(program: string, args: readonly string[], home: string): Promise<ClientRun> {
  const child = spawn(process.execPath, [join(installed, 'node_modules/.bin', program), ...args], {
    cwd: home,
    env: { ...process.env, HOME: home, USERPROFILE: home, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
}

/** A schema of the protocol by its name there, such as `ListToolsResult`. */
export function protocolSchema(name: string): Schema {
  const load = createRequire(join(installed, 'package.json'));
  const schemas = load('@modelcontextprotocol/core') as Readonly<Record<string, Schema>>;
  const schema = schemas[`${name}Schema`];
  if (schema === undefined) throw new Error(`The protocol has no schema ${name}.`);
  return schema;
}
