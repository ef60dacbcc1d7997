/** A runtime that callers from elsewhere reach, with a key that was made before it started. */
import { join } from 'node:path';
import { runCli } from '../../support/cli.ts';
import { sourceFile, temporaryFolder } from '../../support/folder.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { outsideAddress } from '../support/ask.ts';

/** Of this machine, as others reach it; empty where there is no network. */
export const here = outsideAddress() ?? '';

export interface ServedOutside {
  readonly runtime: TestRuntime;
  /** The key `ada`. */
  readonly key: string;
  /** URL at the address of this machine; empty without a listener for others. */
  readonly outside: string;
  readonly folder: string;
}

/** @param scope of the key `ada` */
export async function serveOutside(scope: string, ...args: string[]): Promise<ServedOutside> {
  const folder = temporaryFolder();
  const made = await weirIn(folder, 'keys', 'add', 'ada', '--scope', scope, '--json');
  const { key } = made.json() as { key: string };
  const runtime = await startRuntime({ folder, args });
  const { outside_url } = await (await runtime.connect()).call('runtime.info', {});
  return { runtime, key, folder, outside: (outside_url ?? '').replace('0.0.0.0', here) };
}

/** A command on the data folder in a folder. */
export function weirIn(folder: string, ...args: string[]) {
  const data = join(folder, 'data');
  return runCli([...args, '--data', data], { configFolder: join(folder, 'config') });
}

const inbox = `export default { name: 'Inbox', props: { http: '$.interface.http' },
  async run({ client_ip, url, body, query }) {
    if (query?.wait) await new Promise((resolve) => setTimeout(resolve, Number(query.wait)));
    this.$emit({ client_ip, url, body });
  } }`;

/** Deploys `inbox`, which emits what it is told of a request. @returns the path of its endpoint */
export async function deployInbox({ runtime, folder }: ServedOutside): Promise<string> {
  const file = await sourceFile(folder, 'inbox.mjs', inbox);
  const { endpoint_url } = await runtime.weirJson<{ endpoint_url: string }>('deploy', file);
  return new URL(endpoint_url).pathname;
}
