import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { menuText, rowOf, treeOf, treeText } from '../unit/extension/fake-vscode/looks.ts';
import { openWindow, type OpenWindow } from '../unit/extension/fake-vscode/open-window.ts';
import type { FileProvider } from '../unit/extension/fake-vscode/documents.ts';
import type { Uri } from '../unit/extension/fake-vscode/values.ts';
import { commands, workspace, world } from '../unit/extension/fake-vscode/vscode.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { watchLog } from '../support/runtime-log.ts';

vi.mock('vscode', () => import('../unit/extension/fake-vscode/vscode.ts'));

/**
 * What sources keep, data stores and accounts in the side bar and as files, in a fake window with a real
 * runtime. Files are read and saved as VS Code does: it looks at size and time before each save.
 */
const atEnd = atEndOfSuite();
const { person } = world;
let opened: OpenWindow;

const keeper = `export default {
  name: 'Keeper', props: { http: '$.interface.http', db: '$.service.db' },
  run(event) { for (const [key, value] of Object.entries(event)) this.db.set(key, value); },
}`;

beforeAll(async () => {
  const folder = temporaryFolder(atEnd);
  vi.stubEnv('XDG_CONFIG_HOME', path.join(folder, 'config'));
  const components = temporaryFolder(atEnd);
  const file = await sourceFile(components, 'keeper.mjs', keeper);
  watchLog(path.join(components, '.weir'));
  opened = await openWindow(components);
  atEnd(async () => {
    await commands.executeCommand('weir.runtime.stop');
    opened.close();
  });
  await commands.executeCommand('weir.deploy', file);
  await run({ cursor: 'abc', count: 5, list: [1, 2], nothing: null, seen: { a: 1 } });
});

describe('what a source keeps', () => {
  test('shows below the source: each key with its kind and value', async () => {
    await expect.poll(tree('weir.sources')).toContain(`
  database | db | what the source keeps
    symbol-numeric | count | 5
    symbol-string | cursor | "abc"
    symbol-array | list | [1,2]
    circle-slash | nothing | null
    symbol-object | seen | {"a":1}
  pass |`);
  });

  test('opens as JSON; saving it writes it, and the next run reads it', async () => {
    const file = await openFile('weir.sources', 'seen');
    expect(file.text).toBe('{\n  "a": 1\n}\n');
    expect(file.uri.path).toBe('/Keeper db/seen.json');
    await file.save('{ "a": [2] }');
    expect(await inDb('seen')).toEqual({ a: [2] });
    // Again, without another look at it.
    await file.save('{ "a": 3 }');
    expect(await inDb('seen')).toEqual({ a: 3 });
    await expect.poll(tree('weir.sources')).toContain('seen | {"a":3}');
  });

  test('what is not JSON is not written', async () => {
    const file = await openFile('weir.sources', 'cursor');
    await expect(file.save('"abc')).rejects.toThrow('The value of "cursor" is not JSON');
    expect(await inDb('cursor')).toBe('abc');
  });

  test('what a run has changed meanwhile is not overwritten unless the user says so', async () => {
    const file = await openFile('weir.sources', 'count');
    // As long as before: VS Code does not see it.
    await run({ count: 6 });
    await expect(file.save('9')).rejects.toThrow(
      '"count" has changed since you opened it: it is 6 now. Retry to write yours over it, or Revert to read it.',
    );
    expect(await inDb('count')).toBe(6);
    await file.save('9');
    expect(await inDb('count')).toBe(9);
    // Of another length: VS Code asks by itself, and saves when the user overwrites.
    await run({ count: 12_345 });
    await expect(file.save('10')).rejects.toThrow('The content of the file is newer');
    expect(await inDb('count')).toBe(12_345);
    await file.save('10', { overwrite: true });
    expect(await inDb('count')).toBe(10);
  });

  test('what changes between the look and the save is found by the runtime', async () => {
    const file = await openFile('weir.sources', 'count');
    await expect(file.save('11', { justBefore: () => run({ count: 99 }) })).rejects.toThrow(
      'it is 99 now',
    );
    expect(await inDb('count')).toBe(99);
  });

  test('an open file hears of the runs of its source, and of no others', async () => {
    const { uri } = await openFile('weir.sources', 'count');
    const told: string[] = [];
    files().onDidChangeFile((changes) => told.push(...changes.map((change) => change.uri.path)));
    workspace.textDocuments = [{ uri } as never];
    await run({ count: 1 });
    await expect.poll(() => told).toContain('/Keeper db/count.json');
    workspace.textDocuments = [];
  });

  test('keys are added, deleted, and all deleted, after a question', async () => {
    person.will('made');
    await onRow('weir.addValue', 'weir.sources', 'db');
    expect(await inDb('made')).toBeNull();
    expect(world.documents.active?.document.getText()).toBe('null\n');
    person.will(undefined);
    await onRow('weir.deleteValues', 'weir.sources', 'made');
    expect(await inDb('made')).toBeNull();
    person.will('Delete');
    await onRow('weir.deleteValues', 'weir.sources', 'made');
    expect(person.heard.at(-1)).toBe('Delete "made" of Keeper db?');
    await expect(inDb('made')).rejects.toThrow('no key');
    person.will('Delete All');
    await onRow('weir.deleteAllValues', 'weir.sources', 'db');
    expect(person.heard.at(-1)).toBe('Delete all keys of Keeper db (5)?');
    await expect.poll(tree('weir.sources')).not.toContain('cursor');
  });

  test('a long one shows a page at a time', async () => {
    await run(Object.fromEntries(Array.from({ length: 230 }, (_, n) => [`k${1000 + n}`, n])));
    await expect.poll(tree('weir.sources')).toContain('ellipsis | Show more (130 keys left)');
    await commands.executeCommand('weir.showMoreValues', await rowOf('weir.sources', 'Show more'));
    expect(await treeText('weir.sources')).toContain('k1199');
    expect(await treeText('weir.sources')).toContain('Show more (30 keys left)');
  });
});

describe('data stores', () => {
  test('show their records, with when they expire, and follow what others write', async () => {
    person.will('Seen');
    await commands.executeCommand('weir.createDataStore');
    await expect.poll(tree('weir.dataStores')).toBe('database | Seen');
    await call('data_store_records.set', {
      id: 'Seen',
      key: 'order-7',
      value: { n: 7 },
      ttl: 3600,
    });
    await call('data_store_records.set', { id: 'Seen', key: ' ', value: 1 });
    await expect.poll(tree('weir.dataStores')).toBe(`database | Seen
  symbol-numeric | " " | 1
  symbol-object | order-7 | expires T · {"n":7}`);
  });

  test('a record opens as JSON, and expires when it did before it was saved', async () => {
    const before = await call('data_store_records.get', { id: 'Seen', key: 'order-7' });
    const file = await openFile('weir.dataStores', 'order-7');
    await file.save('{"n":8}');
    expect(await call('data_store_records.get', { id: 'Seen', key: 'order-7' })).toEqual({
      ...before,
      value: { n: 8 },
    });
  });

  test('the Delete key deletes records; a store goes with all it has', async () => {
    const { view } = treeOf('weir.dataStores');
    Object.assign(view, { selection: [await rowOf('weir.dataStores', 'order-7')] });
    person.will('Delete');
    await commands.executeCommand('weir.deleteSelection', 'weir.dataStores');
    await expect.poll(tree('weir.dataStores')).not.toContain('order-7');
    person.will('Delete');
    await onRow('weir.deleteDataStore', 'weir.dataStores', 'Seen');
    await expect.poll(tree('weir.dataStores')).toBe('');
  });
});

describe('accounts', () => {
  test('show by app, and more are added from the row of the app', async () => {
    await call('accounts.create', { app: 'slack', name: 'Work', credentials: { token: 'xoxb-1' } });
    await call('accounts.create', { app: 'acme', name: 'Only', credentials: { key: 'k-1' } });
    await expect
      .poll(tree('weir.accounts'))
      .toMatch(/^plug \| acme\n {2}account \| Only \| apn_\w+\n/);
    person.will('Home', 'token', 'xoxb-2', '');
    await onRow('weir.addAccount', 'weir.accounts', 'slack');
    await expect
      .poll(tree('weir.accounts'))
      .toMatch(/plug \| slack\n {2}account \| Home \| apn_\w+\n {2}account \| Work \| apn_\w+$/);
  });

  test('are renamed, their fields changed, added and removed; what is stored is never shown', async () => {
    person.will('Office');
    await onRow('weir.renameAccount', 'weir.accounts', 'Work');
    await expect.poll(tree('weir.accounts')).toContain('| Office |');
    person.will('token', 'Change token…', 'xoxb-3');
    await onRow('weir.editAccount', 'weir.accounts', 'Office');
    person.will('Add a Field…', 'team', 'T1');
    await onRow('weir.editAccount', 'weir.accounts', 'Office');
    const credentials = async () =>
      (await call('accounts.get', { id: 'office', include_credentials: true })).credentials;
    expect(await credentials()).toEqual({ token: 'xoxb-3', team: 'T1' });
    person.will('team', 'Remove team');
    await onRow('weir.editAccount', 'weir.accounts', 'Office');
    expect(await credentials()).toEqual({ token: 'xoxb-3' });
    expect(JSON.stringify([person.heard, person.offered])).not.toContain('xoxb');
  });

  test('are deleted after a question', async () => {
    person.will('Delete');
    await onRow('weir.deleteAccount', 'weir.accounts', 'Only');
    expect(person.heard.at(-1)).toBe('Delete the account Only?');
    await expect.poll(tree('weir.accounts')).not.toContain('acme');
  });
});

test.each([
  ['weir.sources', 'db', ['2_edit: Add Key…', '9_delete: Delete All Keys…', 'inline: Add Key…']],
  [
    'weir.sources',
    'k1000',
    ['1_run: Open Value…', '9_delete: Delete Keys…', 'inline: Delete Keys…'],
  ],
  [
    'weir.accounts',
    'slack',
    ['2_edit: Add Account…, Connect Account in the Browser…', 'inline: Add Account…'],
  ],
  [
    'weir.accounts',
    // Of Slack, which sends events that it signs.
    'Office',
    [
      '2_edit: Edit Account…, Rename Account…, Enter Signing Secret…, Share Account with All Your Folders…',
      '9_delete: Delete Account…',
      'inline: Edit Account…',
    ],
  ],
])('the menu in %s of %s', async (view, words, menu) => {
  const { contextValue: viewItem } = treeOf(view).provider.getTreeItem(await rowOf(view, words));
  expect(menuText('view/item/context', { view, viewItem, isWorkspaceTrusted: true })).toEqual(menu);
});

const tree = (view: string) => () => treeText(view);
const call: OpenWindow['api']['runtime']['call'] = (...args) => opened.api.runtime.call(...args);

async function run(event: unknown): Promise<void> {
  await call('sources.invoke', { id: 'keeper', event });
}

async function inDb(key: string): Promise<unknown> {
  return (await call('service_db.get', { id: 'keeper', key })).value;
}

async function onRow(command: string, view: string, words: string): Promise<void> {
  await commands.executeCommand(command, await rowOf(view, words));
}

function files(): FileProvider {
  const provider = world.documents.files.get('weir-value');
  if (provider === undefined) throw new Error('No files are provided.');
  return provider;
}

interface SaveOptions {
  /** Whoever saves was told that it is newer, and goes on. */
  readonly overwrite?: boolean;
  readonly justBefore?: () => Promise<void>;
}

/** Opens the value of a row, and saves as VS Code does (`FileService.doValidateWriteFile`). */
async function openFile(view: string, words: string) {
  await commands.executeCommand('weir.openValue', await rowOf(view, words));
  const { uri } = world.documents.active!.document as { uri: Uri };
  let known = await files().stat(uri);
  return {
    uri,
    text: world.documents.active!.document.getText(),
    async save(text: string, { overwrite = false, justBefore }: SaveOptions = {}): Promise<void> {
      const now = await files().stat(uri);
      if (!overwrite && now.mtime > known.mtime && now.size !== known.size) {
        throw new Error('The content of the file is newer');
      }
      await justBefore?.();
      await files().writeFile(uri, Buffer.from(text));
      known = await files().stat(uri);
    },
  };
}
