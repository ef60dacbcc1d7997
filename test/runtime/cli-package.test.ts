/** The npm package of the command line, as somebody has it who has only the tarball. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { version } from '../../package.json';
import { findRuntime } from '../../src/client/runtime-file.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startReceiver } from '../support/receiver.ts';
import { watchLog } from '../support/runtime-log.ts';
import { until } from '../support/until.ts';
import { InstalledCli, installCli, nodeOf } from './support/installed-cli.ts';

const atEnd = atEndOfSuite();
let installed = '';
beforeAll(async () => {
  installed = temporaryFolder(atEnd);
  await installCli(installed);
}, 120_000);

const run = `run(event) { this.$emit({ got: event.body }, { summary: 'got it' }); }`;
const props = `name: 'Inbox', version: '0.0.1', props: { http: '$.interface.http' }`;
/** One source in each form that a component can have. */
const forms = {
  'inbox.ts': `import { defineSource } from 'weir-cli/component';
export default defineSource({ key: 'inbox-ts', ${props}, ${run} });\n`,
  'inbox.mjs': `export default { key: 'inbox-mjs', ${props}, ${run} };\n`,
  'inbox.cjs': `module.exports = { key: 'inbox-cjs', ${props}, ${run} };\n`,
};

// One of the oldest line that `engines` names, one of 22, and what npm scripts run on.
test.each(['20.19.6', '22.23.3', process.versions.node])(
  'on Node %s it serves, deploys each form of a component, and REST has what they emit',
  async (nodeVersion) => {
    const home = temporaryFolder();
    const cli = new InstalledCli(await nodeOf(nodeVersion), installed, home);
    expect(await cli.run('--version')).toBe(`${version}\n`);
    expect(await cli.run('init', 'source', 'hello', '--http')).toContain('hello.mjs');

    const runtime = await serve(cli, home);

    for (const [file, code] of Object.entries(forms)) {
      await writeFile(join(home, file), code);
      const deployed = JSON.parse(await cli.run('deploy', file, '--json')) as Deployed;
      await fetch(deployed.endpoint_url, { method: 'POST', body: file });
      const rest = `${runtime.url}/v1/sources/${deployed.id}/event_summaries?expand=event`;
      await expect
        .poll(async () => {
          const reply = await fetch(rest, {
            headers: { authorization: `Bearer ${runtime.apiKey}` },
          });
          return await reply.json();
        })
        .toMatchObject({ data: [{ event: { got: file } }] });
    }
  },
  180_000,
);

/** Until the test has ended. */
async function serve(cli: InstalledCli, home: string, ...args: readonly string[]) {
  const data = join(home, '.weir');
  watchLog(data);
  const serving = cli.start('serve', '--port', '0', ...args);
  const ended = once(serving, 'exit');
  onTestFinished(async () => {
    serving.kill();
    await ended;
  });
  return until('the runtime', () => findRuntime(data));
}

interface Deployed {
  readonly id: string;
  readonly endpoint_url: string;
}

test('TypeScript finds the types of weir-cli/component, and tells a wrong prop', async () => {
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const check = async (code: string) => {
    const file = join(installed, 'typed.ts');
    await writeFile(file, code);
    const options = '--ignoreConfig --strict --noEmit --target es2023 --module nodenext'.split(' ');
    return promisify(execFile)(process.execPath, [tsc, ...options, file], { cwd: installed }).then(
      () => 'well typed',
      ({ stdout }: { stdout: string }) => stdout,
    );
  };
  expect(await check(forms['inbox.ts'])).toBe('well typed');
  expect(await check(forms['inbox.ts'].replace('$.interface.http', '$.interface.htp'))).toMatch(
    /typed\.ts.*error TS/,
  );
});

test('its server sends traces, and an agent deploys and reads over stdio', async () => {
  const home = temporaryFolder();
  const cli = new InstalledCli(process.execPath, installed, home);
  const collector = await startReceiver();
  await serve(cli, home, '--traces', collector.url);
  await writeFile(join(home, 'inbox.mjs'), forms['inbox.mjs']);
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ ...cli.call('mcp'), stderr: 'ignore' }));
  onTestFinished(() => client.close());
  const ask = async (name: string, given: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: given });
    const [{ text }] = content as [{ text: string }];
    return (JSON.parse(text) as { data: unknown }).data;
  };
  const deployed = (await ask('deploy_source', {
    component_path: join(home, 'inbox.mjs'),
  })) as Deployed;
  await fetch(deployed.endpoint_url, { method: 'POST', body: 'by an agent' });
  await expect
    .poll(() => ask('list_events', { id: deployed.id }), { interval: 1000 })
    .toMatchObject([{ event: { got: 'by an agent' } }]);
  await expect
    .poll(() => collector.received.map(({ path }) => path), { timeout: 100_000 })
    .toContain('/v1/traces');
});
