/**
 * Foreign clients of the Model Context Protocol: the inspector's command line and the protocol's conformance suite; and
 * the schema that the protocol publishes. As a global setup of vitest, the packages that they need are installed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
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

/**
 * The published schema of the protocol (`schema.ts` of its repository, which the SDK carries word for word and does not
 * use itself), as JSON Schema.
 * @returns what is wrong with a value that should be a `name` of the protocol, such as `ListToolsResult`; null if nothing
 */
export function protocolSchema(): (name: string, value: unknown) => readonly object[] | null {
  const load = createRequire(join(installed, 'package.json'));
  const { createGenerator } = load('ts-json-schema-generator') as {
    readonly createGenerator: (options: object) => { createSchema(type: string): object };
  };
  const published = resolve('node_modules/@modelcontextprotocol/sdk/dist/esm/spec.types.d.ts');
  // As in the JSON Schema that the protocol makes of it, what it does not name may be there.
  const options = { path: published, type: '*', skipTypeCheck: true, additionalProperties: true };
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(createGenerator(options).createSchema('*'), 'protocol');
  return (name, value) => {
    const validate = ajv.getSchema(`protocol#/definitions/${name}`);
    if (validate === undefined) throw new Error(`The protocol has no schema ${name}.`);
    return validate(value) === true ? null : (validate.errors ?? []);
  };
}
