/** Clause 30: accounts whose token a program of the user's own prints. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Account, App, Connection } from '../../src/protocol/catalogue.ts';
import { runCli } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startReceiver } from '../support/receiver.ts';
import { startRuntime, type TestRuntime, useRuntime } from '../support/runtime.ts';

interface World {
  readonly folder: string;
  readonly runtime: TestRuntime;
  /** What the program prints from now on, as code of Node. */
  program(code: string): void;
  define(run: readonly string[], more?: object, methods?: object): void;
  readonly run: readonly string[];
  /** How often the program has run, and with what. */
  readonly ran: () => readonly { readonly argv: string[]; readonly cwd: string }[];
}

const shared = useRuntime();

/** A program of its own in the runtime of all tests, which has no account any more. */
async function world(more = {}): Promise<World> {
  const accounts = await shared.restData<readonly Account[]>('GET', '/v1/accounts');
  for (const { id } of accounts) await shared.restData('DELETE', `/v1/accounts/${id}`);
  return withProgram(shared, shared.folder, more);
}

async function withProgram(runtime: TestRuntime, folder: string, more = {}): Promise<World> {
  mkdirSync(join(folder, 'weir', 'apps'), { recursive: true });
  const own = temporaryFolder();
  const [file, log] = [join(own, 'token.mjs'), join(own, 'ran.log')];
  writeFileSync(log, '');
  const program = (code: string): void =>
    writeFileSync(
      file,
      `import { appendFileSync } from 'node:fs';
      appendFileSync(${JSON.stringify(log)}, JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd() }) + '\\n');
      ${code}`,
    );
  const define = (run: readonly string[], parts: object = {}): void => {
    const method = { type: 'command', run, ...more };
    const definition = { app: 'acme', name: 'Acme', methods: [method], ...parts };
    writeFileSync(join(folder, 'weir', 'apps', 'acme.json'), JSON.stringify(definition));
  };
  const run = [process.execPath, file, 'auth', '$(echo token); exit 1'];
  program("console.log('marker-command-token');");
  define(run);
  const ran = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { argv: string[]; cwd: string });
  return { folder, runtime, program, define, run, ran };
}

const connect = ({ runtime }: Pick<World, 'runtime'>, more = {}) =>
  runtime.rest('POST', '/v1/accounts/connect', { app: 'acme', ...more });

const action = (ending: string) => `
export default {
  key: 'acme-show', name: 'Show', version: '0.0.1', type: 'action',
  props: { acme: { type: 'app', app: 'acme' } },
  run() { ${ending} },
};`;

async function show({ runtime, folder }: World, ending = 'return this.acme.$auth;') {
  const path = await sourceFile(folder, 'show.mjs', action(ending));
  const run = await runtime.restData<{ return_value: Record<string, string> }>(
    'POST',
    '/v1/actions/run',
    { component_path: path },
  );
  return run.return_value;
}

test('clause 30: nothing runs before a person has allowed this very command, and then once per workspace', async () => {
  const folder = temporaryFolder();
  const here = await withProgram(await startRuntime({ folder }), folder);
  const refused = await connect(here);
  expect(refused).toMatchObject({ status: 409 });
  expect(JSON.stringify(refused.body)).toContain('auth');
  expect(await connect(here, { allow_command: ['gh', 'auth', 'token'] })).toMatchObject({
    status: 409,
  });
  const noTerminal = await here.runtime.weir('accounts', 'connect', 'acme', '--command');
  expect(noTerminal.code).not.toBe(0);
  expect(noTerminal.stderr).toContain('--allow-command');
  expect(here.ran()).toEqual([]);

  const allowed = await connect(here, { allow_command: here.run });
  const { data } = allowed.body as { data: Connection };
  expect(data).toMatchObject({ status: 'connected', error: null });
  // No shell: what one would run is an argument. And no file of the workspace stands in its way.
  expect(here.ran()).toEqual([{ argv: here.run.slice(2), cwd: expect.any(String) }]);
  expect(here.ran()[0]?.cwd).not.toContain(here.folder);
  expect(await show(here)).toEqual({
    oauth_access_token: 'marker-command-token',
    oauth_client_id: '',
  });
  const again = await here.runtime.weir('accounts', 'connect', 'acme', '--command');
  expect(again.code).toBe(0);
  expect(await here.runtime.restData<App>('GET', '/v1/apps/acme')).toMatchObject({
    command: { run: here.run, allowed: true },
  });
  expect(again.stdout + again.stderr + here.runtime.output()).not.toContain('marker-command-token');

  const other = temporaryFolder();
  mkdirSync(join(other, 'weir', 'apps'), { recursive: true });
  writeFileSync(
    join(other, 'weir', 'apps', 'acme.json'),
    readFileSync(join(here.folder, 'weir', 'apps', 'acme.json')),
  );
  const elsewhere = await startRuntime({ folder: other });
  expect(await connect({ runtime: elsewhere })).toMatchObject({ status: 409 });
});

test('clause 30: a command that the definition names later is not run', async () => {
  const here = await world({ expires_in: 1 });
  await connect(here, { allow_command: here.run });
  here.define([...here.run, '--all']);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await expect(show(here)).rejects.toThrow(
    /Nobody has allowed .*--all.* Connect the account again/,
  );
  expect(here.ran()).toHaveLength(1);
});

test('clauses 22 and 30: the command runs again when its time is over, and after a 401', async () => {
  const here = await world({ expires_in: 2 });
  await connect(here, { allow_command: here.run });
  here.program("console.log('second');");
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await show(here)).toMatchObject({ oauth_access_token: 'second' });

  const endless = await world();
  await connect(endless, { allow_command: endless.run });
  endless.program("console.log('third');");
  expect(await show(endless)).toMatchObject({ oauth_access_token: 'marker-command-token' });
  const app = await startReceiver({ answer: () => ({ status: 401 }) });
  await show(
    endless,
    `return fetch(${JSON.stringify(app.url)}).then(({ status }) => { throw Object.assign(new Error('no'), { response: { status } }); });`,
  );
  expect(await show(endless)).toMatchObject({ oauth_access_token: 'third' });
});

test('clause 30: what is no token, and a program that fails, is one sentence without what it printed', async () => {
  const here = await world();
  const say = async (code: string): Promise<string> => {
    here.program(code);
    const { body } = await connect(here, { allow_command: here.run });
    const { data } = body as { data?: Connection };
    return data?.error ?? JSON.stringify(body);
  };
  expect(await say('')).toContain('printed nothing.');
  expect(await say("console.log('two words');")).toContain('printed more than a token.');
  expect(await say("console.log('x'.repeat(100_000));")).toContain('printed too much.');
  const failed = await say(
    "console.log('marker-half'); console.error('not logged in as marker-half'); process.exit(4);",
  );
  expect(failed).toMatch(/ended with 4: not logged in as …\.$/);
  here.define(['no-such-program-of-weir']);
  const missing = await connect(here, { allow_command: ['no-such-program-of-weir'] });
  expect(JSON.stringify(missing.body)).toContain('was not found.');
  here.define(['./token.mjs']);
  const relative = await connect(here, { allow_command: ['./token.mjs'] });
  expect(JSON.stringify(relative.body)).toContain('is a relative path');
});

test('clause 30: it has ten seconds', async () => {
  const here = await world();
  here.program('setInterval(() => {}, 1000);');
  const { body } = await connect(here, { allow_command: here.run });
  expect((body as { data: Connection }).data.error).toContain('took longer than 10 seconds.');
});

test('the command line allows it with --allow-command, and an account that is there is connected again by it', async () => {
  const here = await world();
  const cli = { configFolder: join(here.folder, 'config') };
  const data = ['--data', join(here.folder, 'data')];
  const added = await runCli(
    ['accounts', 'connect', 'acme', '--command', '--allow-command', '--json', ...data],
    cli,
  );
  const account = added.json() as Account;
  expect(account).toMatchObject({ healthy: true, grant: 'command', renews: true });
  here.program("console.log('next');");
  const again = await runCli(['accounts', 'reconnect', account.id, '--json', ...data], cli);
  expect(again.json()).toMatchObject({ id: account.id });
  expect(await show(here)).toMatchObject({ oauth_access_token: 'next' });
});
