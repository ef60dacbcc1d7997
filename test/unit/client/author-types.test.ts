/** What an author's editor and compiler make of a component, in a folder that nothing was installed into. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMessageConnection } from 'vscode-jsonrpc/node';
import { writeDeclarations } from '../../../scripts/bundles.mts';
import { newComponent } from '../../../src/cli/templates.ts';
import { needsTypes, writeAuthorTypes } from '../../../src/client/author-types.ts';
import { atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';

const tsc = resolve('node_modules/typescript/bin/tsc');
let types: string;
let hello: string;

beforeAll(async () => {
  types = join(temporaryFolder(atEndOfSuite()), 'component');
  await writeDeclarations(types);
  const readme = await readFile('README.md', 'utf8');
  [, hello = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
});

async function folderWith(file: string, text: string): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(join(folder, file), text);
  return folder;
}

/** What `tsc` prints of one file, without any configuration or package of the folder. */
async function compiled(folder: string, file: string, ...options: string[]): Promise<string> {
  const args = ['--ignoreConfig', '--noEmit', '--strict', '--pretty', 'false', ...options, file];
  const run = promisify(execFile)(process.execPath, [tsc, ...args], { cwd: folder });
  return run.then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

describe.each([
  ['as it is', []],
  [
    'strictest',
    ['--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--noImplicitReturns'],
  ],
  ['like Node', ['--module', 'nodenext', '--target', 'es2022']],
  ['without the DOM and other types', ['--lib', 'es2022', '--types', '', '--module', 'preserve']],
])('%s', (what, options) => {
  test('the first component of the README', async () => {
    const folder = await folderWith('hello.ts', hello);
    expect(await compiled(folder, 'hello.ts', ...options)).toContain('weir/component');
    expect(await writeAuthorTypes(folder, types)).toBe('new');
    expect(await writeAuthorTypes(folder, types)).toBe('updated');
    const found = await compiled(folder, 'hello.ts', ...options);
    // Without the DOM nothing declares `console`.
    expect(found.replaceAll(/.*'console'.*\n/g, '')).toBe('');
    expect(found === '').toBe(!what.startsWith('without'));
  });
});

test.each(['source', 'action', 'app'] as const)('the template of %s', async (kind) => {
  const all = { db: kind === 'source', http: kind === 'source', timer: false, typescript: true };
  const { path, text } = newComponent(kind, { name: 'New thing', ...all });
  const file = path.slice(path.lastIndexOf('/') + 1);
  const folder = await folderWith(file, text);
  await writeAuthorTypes(folder, types);
  expect(await compiled(folder, file)).toBe('');
});

/** As the platform writes it. */
const step = `export default defineComponent({
  props: { who: { type: 'string' } },
  async run({ steps, $ }) {
    $.export('$summary', this.who.toUpperCase());
    return steps.trigger.event;
  },
});
`;

test('a step knows `defineComponent` without an import where the types of steps are asked for', async () => {
  const folder = await folderWith('entry.ts', step);
  await writeAuthorTypes(folder, types);
  const asked = ['--types', 'weir/steps', '--module', 'preserve'];
  expect(await compiled(folder, 'entry.ts', ...asked)).toBe('');
  await writeFile(join(folder, 'wrong.ts'), step.replace('this.who', 'this.nobody'));
  expect(await compiled(folder, 'wrong.ts', ...asked)).toContain("Property 'nobody' does not");
  await writeFile(join(folder, 'script.mjs'), step.replace('$.export', '$.exports'));
  const checked = [...asked, '--allowJs', '--checkJs'];
  expect(await compiled(folder, 'script.mjs', ...checked)).toContain("'exports' does not exist");
  // Imported it is the same.
  await writeFile(
    join(folder, 'imported.ts'),
    `import { defineComponent } from 'weir/component';\n${step}`,
  );
  expect(await compiled(folder, 'imported.ts')).toBe('');
});

test('the language server of TypeScript shows no error, without a project', async () => {
  const folder = await folderWith('hello.ts', hello);
  await writeAuthorTypes(folder, types);
  expect(await diagnostics(folder, 'hello.ts')).toEqual([]);
  // It would show one.
  await writeFile(join(folder, 'wrong.ts'), hello.replace('event.body', 'event.nothing'));
  expect(await diagnostics(folder, 'wrong.ts')).toEqual([
    expect.stringContaining("Property 'nothing' does not exist on type 'HttpEvent'"),
  ]);
});

async function diagnostics(folder: string, file: string): Promise<string[]> {
  const server = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { cwd: folder });
  onTestFinished(() => void server.kill());
  const connection = createMessageConnection(server.stdout, server.stdin);
  for (const asked of ['client/registerCapability', 'workspace/configuration']) {
    connection.onRequest(asked, () => null);
  }
  connection.listen();
  const uri = pathToFileURL(join(folder, file)).href;
  const capabilities = { textDocument: { diagnostic: {} } };
  const rootUri = pathToFileURL(folder).href;
  await connection.sendRequest('initialize', { processId: process.pid, rootUri, capabilities });
  await connection.sendNotification('initialized', {});
  const text = await readFile(join(folder, file), 'utf8');
  const textDocument = { uri, languageId: 'typescript', version: 1, text };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  const report = await connection.sendRequest<{ items: { message: string }[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
  );
  connection.dispose();
  return report.items.map(({ message }) => message);
}

test('a package of that name that somebody installed stays as it is', async () => {
  const folder = temporaryFolder();
  const place = join(folder, 'node_modules', 'weir');
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), '{"name":"weir","version":"0.5.0"}');
  expect(await writeAuthorTypes(folder, types)).toBe('another package');
  expect(await readFile(join(place, 'package.json'), 'utf8')).toContain('0.5.0');
});

test('what an earlier version wrote is brought up to date', async () => {
  const folder = temporaryFolder();
  await writeAuthorTypes(folder, types);
  const own = join(folder, 'node_modules', 'weir', 'package.json');
  const { exports, ...manifest } = JSON.parse(await readFile(own, 'utf8')) as { exports: object };
  await writeFile(own, JSON.stringify({ ...manifest, exports: {} }, null, 2));
  expect(await writeAuthorTypes(folder, types)).toBe('updated');
  expect(JSON.parse(await readFile(own, 'utf8'))).toMatchObject({ exports });
});

test('git does not see what was written', async () => {
  const folder = temporaryFolder();
  await writeAuthorTypes(folder, types);
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: folder });
  await git('init', '--quiet');
  expect((await git('status', '--porcelain')).stdout).toBe('');
});

test.each([
  [`import { defineSource } from 'weir/component';`, true],
  [`const { defineAction } = require("weir/component")`, true],
  [`// weir/component`, false],
  [`export default defineComponent({ run() {} })`, true],
  [`undefineComponent({})`, false],
])('%s', (text, imports) => {
  expect(needsTypes(text)).toBe(imports);
});
