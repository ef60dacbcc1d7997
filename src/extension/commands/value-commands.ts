/** Values in a source's db, and records of data stores: opens, adds and deletes them. */
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import { countOf } from '../count-of.ts';
import { type ValueAddress, valueUri } from '../documents/value-files.ts';
import {
  clearValues,
  deleteValue,
  listValues,
  readValue,
  writeValue,
} from '../model/kept-values.ts';
import { inView } from '../notify.ts';
import { valueLine } from '../views/kept-line.ts';
import { holderName, holderOf } from '../views/kept-rows.ts';
import {
  isNode,
  nodesOf,
  type DataStoreNode,
  type DbNode,
  type ValueNode,
} from '../views/nodes.ts';
import { confirm } from './confirm.ts';
import type { Command, CommandContext } from './context.ts';
import { connectedFolders, pickFolder } from './pick-target.ts';

/** Shows a value as a JSON file; saving it writes the value. */
export const openValue: Command = async (context, arg) => {
  const value = isNode(arg, 'value') ? arg : await pickValue(context, arg, 'Open Value');
  if (value !== undefined) await show(value);
};

/** Asks for the key, and opens its value; a key that is new is null at first. */
export const addValue: Command = async (context, arg) => {
  const holder = await pickHolder(context, arg, 'Add Key');
  if (holder === undefined) return;
  const name = holderName(holder);
  const key = await vscode.window.showInputBox({
    title: `Add Key to ${name}`,
    prompt: 'Its value opens as JSON, null at first.',
    validateInput: (text) => (text === '' ? 'A key is required.' : undefined),
  });
  if (key === undefined) return;
  const client = await holder.folder.link.ready();
  const place = holderOf(holder);
  const isThere = (await readValue(client, place, key)) !== undefined;
  if (!isThere) await inView(() => writeValue(client, place, { key, value: null }));
  await show({ folder: holder.folder, holder: place, name, kept: { key } });
};

export const deleteValues: Command = async (context, arg, selection) => {
  const rows = nodesOf(arg, selection, 'value');
  const picked = rows.length > 0 ? undefined : await pickValue(context, arg, 'Delete Keys');
  const targets = picked === undefined ? rows : [picked];
  const [first, another] = targets;
  if (first === undefined) return;
  const what = another === undefined ? `"${first.kept.key}"` : countOf(targets.length, 'key');
  const isSure = await confirm(
    `Delete ${what} of ${first.name}?`,
    'The next run does not find what you delete. This cannot be undone.',
    'Delete',
  );
  if (!isSure) return;
  for (const { folder, holder, kept } of targets) {
    const client = await folder.link.ready();
    await inView(() => deleteValue(client, holder, kept.key));
  }
};

export const deleteAllValues: Command = async (context, arg) => {
  const holder = await pickHolder(context, arg, 'Delete All Keys');
  if (holder === undefined) return;
  const client = await holder.folder.link.ready();
  const place = holderOf(holder);
  const { total } = await listValues(client, place, 1);
  const isSure = await confirm(
    `Delete all keys of ${holderName(holder)} (${total})?`,
    'The next run finds it empty. This cannot be undone.',
    'Delete All',
  );
  if (isSure) await inView(() => clearValues(client, place));
};

export const createDataStore: Command = async (context) => {
  const folder = await pickFolder(context, 'Create Data Store');
  if (folder === undefined) return;
  const name = await vscode.window.showInputBox({
    title: 'Create Data Store',
    prompt: 'Components name it, or its id, as the value of a data_store prop.',
    validateInput: (text) => (text.trim() === '' ? 'A name is required.' : undefined),
  });
  if (name === undefined) return;
  const client = await folder.link.ready();
  await inView(() => client.call('data_stores.create', { name: name.trim() }));
};

export const deleteDataStore: Command = async (context, arg, selection) => {
  const rows = nodesOf(arg, selection, 'dataStore');
  const picked = rows.length > 0 ? undefined : await pickDataStore(context, 'Delete Data Store');
  const targets = picked === undefined ? rows : [picked];
  const [first, another] = targets;
  if (first === undefined) return;
  const what =
    another === undefined
      ? `the data store ${first.store.name}`
      : countOf(targets.length, 'data store');
  const detail = `${another === undefined ? 'Its' : 'Their'} records are deleted as well.`;
  if (!(await confirm(`Delete ${what}?`, detail, 'Delete'))) return;
  for (const { folder, store } of targets) {
    const client = await folder.link.ready();
    await inView(() => client.call('data_stores.delete', { id: store.id }));
  }
};

/** Run by the last row of a long list. */
export const showMoreValues: Command = (context, arg) => {
  if (!isNode(arg, 'moreValues')) return;
  if (arg.of.kind === 'db') context.sources.showMore(arg.of);
  else context.dataStores.showMore(arg.of);
};

async function show(value: ValueAddress): Promise<void> {
  await vscode.window.showTextDocument(valueUri(value), { preview: true });
}

type HolderNode = DbNode | DataStoreNode;

async function pickHolder(
  context: CommandContext,
  arg: unknown,
  title: string,
): Promise<HolderNode | undefined> {
  if (isNode(arg, 'db') || isNode(arg, 'dataStore')) return arg;
  const folders = await connectedFolders(context.folders);
  const holders = folders.flatMap((folder): HolderNode[] => [
    ...folder.mirror
      .sources()
      .flatMap((source) =>
        source.configurable_props
          .filter(({ type }) => type === '$.service.db')
          .map(({ name: prop }): DbNode => ({ kind: 'db', folder, source, prop })),
      ),
    ...dataStoresOf(folder),
  ]);
  if (holders.length === 0) {
    throw new WeirError('not_found', 'No source here has a db, and there is no data store yet.');
  }
  const items = holders.map((node) => ({
    label: `$(database) ${holderName(node)}`,
    description: node.kind === 'db' ? node.source.id : node.store.id,
    detail: node.kind === 'db' ? 'db of a source' : 'data store',
    node,
  }));
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.node;
}

async function pickDataStore(
  context: CommandContext,
  title: string,
): Promise<DataStoreNode | undefined> {
  const nodes = (await connectedFolders(context.folders)).flatMap(dataStoresOf);
  if (nodes.length === 0) throw new WeirError('not_found', 'There is no data store here yet.');
  const items = nodes.map((node) => ({
    label: `$(database) ${node.store.name}`,
    description: node.store.id,
    node,
  }));
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.node;
}

function dataStoresOf(folder: CommandContext['folders']['first']): DataStoreNode[] {
  return [...folder.mirror.state.dataStores.values()].map((store) => ({
    kind: 'dataStore',
    folder,
    store,
  }));
}

/** Most keys that a list offers; the tree has them all. */
const offered = 1000;

async function pickValue(
  context: CommandContext,
  arg: unknown,
  title: string,
): Promise<ValueNode | undefined> {
  const node = await pickHolder(context, arg, title);
  if (node === undefined) return undefined;
  const { folder } = node;
  const [holder, name] = [holderOf(node), holderName(node)];
  const { items: values } = await listValues(await folder.link.ready(), holder, offered);
  if (values.length === 0) throw new WeirError('not_found', `There is nothing in ${name}.`);
  const items = values.map((kept) => {
    const { label, description, icon } = valueLine(kept, context.clock.now());
    const value: ValueNode = { kind: 'value', folder, holder, name, kept };
    return { label: `$(${icon}) ${label}`, description, value };
  });
  return (await vscode.window.showQuickPick(items, { title: `${title}: ${name}` }))?.value;
}
