import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { menuText, rowOf, treeOf, treeText } from '../unit/extension/fake-vscode/looks.ts';
import { openWindow, type OpenWindow } from '../unit/extension/fake-vscode/open-window.ts';
import { commands, DataTransfer, Uri, world } from '../unit/extension/fake-vscode/vscode.ts';
import { post } from '../support/post.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { watchLog } from '../support/runtime-log.ts';
import { rowMenus } from './support/row-menus.ts';
import { writeShop, type Shop } from './support/shop.ts';

vi.mock('vscode', () => import('../unit/extension/fake-vscode/vscode.ts'));

/** The whole extension in a fake window, with a real runtime and real components. */
const atEnd = atEndOfSuite();
const { person } = world;
let shop: Shop;
let opened: OpenWindow;
let receiver: Receiver;
let endpoint: string;

beforeAll(async () => {
  const folder = temporaryFolder(atEnd);
  // The runtime's key belongs to this test.
  vi.stubEnv('XDG_CONFIG_HOME', path.join(folder, 'config'));
  shop = await writeShop(folder);
  receiver = await startReceiver({ atEnd });
  watchLog(path.join(shop.folder, '.weir'));
  opened = await openWindow(shop.folder);
  atEnd(async () => {
    await commands.executeCommand('weir.runtime.stop');
    opened.close();
  });
});

test('Deploy without anything to fill in deploys at once; what has props gets its form', async () => {
  person.will('Tick');
  await commands.executeCommand('weir.deploy');
  await expect.poll(tree('weir.sources')).toBe('clock | Tick | next run T');
  await commands.executeCommand('weir.deploy', shop.file('shelves'));
  expect(world.panels.map(({ title }) => title)).toEqual(['Deploy Shelves']);
});

test('lists of files and of sources name the component, and what is deployed from it', async () => {
  await commands.executeCommand('weir.deploy');
  expect(person.offered).toContainEqual({
    label: '$(file-code) Tick',
    description: expect.stringMatching(/^source · .*tick\.mjs$/) as string,
    detail: expect.stringMatching(/^Deployed as Tick \(tick · dc_\w{7} · active\)$/) as string,
    uri: expect.anything() as unknown,
  });
  expect(person.offered.map(({ detail }) => detail)).toContain('Not deployed');
});

test('sources show their kind, their endpoint or next tick, the last result, and their runs', async () => {
  await commands.executeCommand('weir.deploy', shop.file('orders'));
  await expect
    .poll(tree('weir.sources'))
    .toBe('globe | Orders | /h/hi_\nclock | Tick | next run T');
  const source = await call('sources.get', { id: 'orders' });
  endpoint = source.endpoint_url ?? '';
  await send({ id: 1 });
  await expect
    .poll(tree('weir.sources'))
    .toBe(
      'globe | Orders | ran T · /h/hi_\n  pass | POST / | 1 event · N ms · T\nclock | Tick | next run T',
    );
  await send({ id: 1 });
  await send({ id: 2, channel: 'paid' });
  await send({ fail: true });
  await expect.poll(tree('weir.sources')).toBe(`error | Orders | failed T
  error | Failed Runs | 1 · 1 new
    error | POST / | Error: No such customer · N ms · T
  error | POST / | Error: No such customer · N ms · T
  pass | POST / | 1 event · N ms · T
  pass | POST / | 0 events, 1 dropped · N ms · T
  pass | POST / | 1 event · N ms · T
clock | Tick | next run T`);
});

test('what failed shows on the badge, in the status bar and at the line that threw', async () => {
  const { view } = treeOf('weir.sources');
  await expect.poll(() => view.badge).toMatchObject({ value: 1, tooltip: 'Runs failed: Orders' });
  expect(world.statusBar.text).toBe('$(error) Weir: 1 failed');
  const [mark] = marks();
  expect(mark?.message).toBe('Error: No such customer\nA run of Orders failed here (POST /).');
  expect(mark?.range.start.line).toBe(4);
});

test('events are newest first, with those that were dropped and why', async () => {
  await expect.poll(tree('weir.events')).toBe(`symbol-event | Order 2 | paid · T · Orders
circle-slash | Order 1 | dropped: The id "1" is among the last 100 that were emitted (dedupe "unique"). · T · Orders
symbol-event | Order 1 | T · Orders`);
});

test('what was dropped can be hidden, and shown again', async () => {
  await commands.executeCommand('weir.hideDropped');
  expect(await treeText('weir.events')).not.toContain('dropped');
  expect(await treeText('weir.events')).toContain('Order 1');
  expect(menuText('view/title', { view: 'weir.events' })).toContainEqual(
    '2_edit: Show Dropped Events',
  );
  await commands.executeCommand('weir.showDropped');
  expect(await treeText('weir.events')).toContain('dropped');
  expect(menuText('view/title', { view: 'weir.events' })).toContainEqual(
    '2_edit: Hide Dropped Events',
  );
});

test('a search narrows the events down, and all of them come back', async () => {
  person.will('order 2');
  await commands.executeCommand('weir.searchEvents');
  await expect.poll(tree('weir.events')).toBe('symbol-event | Order 2 | paid · T · Orders');
  expect(world.context.get('weir.eventsFiltered')).toBe(true);
  expect(menuText('view/title', { view: 'weir.events' })).toEqual([
    '2_edit: Hide Dropped Events',
    'navigation: Show Events of All Sources, Search Events…',
  ]);
  await commands.executeCommand('weir.showAllEvents');
  expect(world.context.get('weir.eventsFiltered')).toBe(false);
});

test('a source that is dropped onto a webhook is listened to, and deliveries say how they went', async () => {
  person.will('http:///x');
  await commands.executeCommand('weir.createWebhook');
  expect(person.heard.at(-1)).toContain(
    'Give one that starts with http:// or https:// and names a host.',
  );
  person.will(`${receiver.url}/hook`, 'Copy Signing Secret');
  await commands.executeCommand('weir.createWebhook');
  expect(person.clipboard).toMatch(/^whsec_/);
  await expect.poll(tree('weir.subscriptions')).toBe('radio-tower | http://host/hook');
  const transfer = new DataTransfer();
  const webhook = await rowOf('weir.subscriptions', '/hook');
  treeOf('weir.sources').drag.handleDrag?.([await rowOf('weir.sources', 'Orders')], transfer);
  await treeOf('weir.subscriptions').drop.handleDrop?.(webhook, transfer);
  await send({ id: 3 });
  await expect.poll(tree('weir.subscriptions')).toContain('Order 3 | HTTP 200');
  receiver.answer = () => ({ status: 410 });
  await send({ id: 4 });
  await expect.poll(tree('weir.subscriptions')).toBe(`radio-tower | http://host/hook | 1 exhausted
  plug | Orders | default channel
  error | Order 4 | exhausted · HTTP 410 · T
  pass | Order 3 | HTTP 200 · T`);
  await expect.poll(() => treeOf('weir.subscriptions').view.badge?.value).toBe(1);
});

test('what failed is told until somebody has looked at it, however many runs went well', async () => {
  expect(await treeText('weir.sources')).toContain('error | Orders | 1 failed · ran T · /h/hi_');
  expect(treeOf('weir.sources').view.badge).toMatchObject({ value: 1 });
  expect(world.statusBar.text).toBe('$(error) Weir: 1 failed');
  expect(marks()).toHaveLength(1);
  await commands.executeCommand('weir.markRunsSeen');
  expect(treeOf('weir.sources').view.badge).toBeUndefined();
  expect(world.statusBar.text).toBe('$(pulse) Weir: 2 sources');
  expect(marks()).toEqual([]);
});

test('what is exhausted is delivered from the webhook’s row, and the badge goes', async () => {
  receiver.answer = () => ({ status: 200 });
  await onRow('weir.redeliver', 'weir.subscriptions', '/hook');
  await expect.poll(tree('weir.subscriptions')).toBe(`radio-tower | http://host/hook
  plug | Orders | default channel
  pass | Order 4 | HTTP 200 · T
  pass | Order 3 | HTTP 200 · T`);
  await expect.poll(() => treeOf('weir.subscriptions').view.badge).toBeUndefined();
});

test('the signing secret of a webhook can be rotated later, and copied', async () => {
  const before = person.clipboard;
  person.will('Copy Signing Secret');
  await onRow('weir.rotateSecret', 'weir.subscriptions', '/hook');
  expect(person.clipboard).toMatch(/^whsec_/);
  expect(person.clipboard).not.toBe(before);
  expect(person.heard.at(-1)).toMatch(/The old one signs as well until \S+/);
});

test('Deploy of what is deployed offers Update first, and another source last', async () => {
  const { hash } = await deployedTick();
  const file = shop.file('tick');
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace('A tick', 'Another tick'));
  person.will('Update Tick');
  await commands.executeCommand('weir.deploy', file);
  expect((await deployedTick()).hash).not.toBe(hash);
  await writeFile(file, code);
  person.will('Update Tick');
  await commands.executeCommand('weir.deploy', file);
  // Whoever leaves the question deploys nothing.
  await commands.executeCommand('weir.deploy', file);
  expect(await deployedTick()).toEqual({ hash, count: 1 });
  expect(person.heard.at(-1)).toBe('tick.mjs Is Deployed Already');
});

test('a source follows its file: renamed in the editor, and moved by another program', async () => {
  const shown = async () => (await call('sources.get', { id: 'tick' })).path;
  const old = shop.file('tick');
  const renamed = path.join(path.dirname(old), 'ticks.mjs');
  const moved = path.join(path.dirname(old), 'elsewhere.mjs');
  await rename(old, renamed);
  world.renamed.fire({ files: [{ oldUri: Uri.file(old), newUri: Uri.file(renamed) }] });
  await expect.poll(shown).toBe(renamed);

  await rename(renamed, moved);
  world.focused.fire({ focused: true });
  await expect.poll(tree('weir.sources')).toContain('warning | Tick | file missing · next run T');
  await onRow('weir.openCode', 'weir.sources', 'Tick');
  expect(person.heard.at(-1)).toBe(`${renamed} is gone. Tick runs as it was deployed.`);
  // It is the only file with this code.
  await onRow('weir.locateFile', 'weir.sources', 'Tick');
  expect(await shown()).toBe(moved);
  world.focused.fire({ focused: true });
  await expect.poll(tree('weir.sources')).toContain('clock | Tick | next run T');
  await onRow('weir.openCode', 'weir.sources', 'Tick');
  expect(document()).toBe(await readFile(moved, 'utf8'));

  // With a change that is not deployed it asks first.
  await rename(moved, old);
  await writeFile(old, `${await readFile(old, 'utf8')}\n`);
  world.renamed.fire({ files: [{ oldUri: Uri.file(moved), newUri: Uri.file(old) }] });
  await expect.poll(() => person.heard.at(-1)).toMatch(/^tick\.mjs has changes/);
  expect(await shown()).toBe(moved);
  person.will('Tick');
  await onRow('weir.locateFile', 'weir.sources', 'Tick');
  expect(await shown()).toBe(old);
});

test('dev mode shows in the row of its source', async () => {
  const { id } = await call('sources.get', { id: 'tick' });
  await commands.executeCommand('weir.dev', id);
  await expect.poll(tree('weir.sources')).toContain('clock | Tick | dev mode · next run T');
  await commands.executeCommand('weir.dev', id);
  await expect.poll(tree('weir.sources')).toContain('clock | Tick | next run T');
});

describe('the menu', () => {
  test.each(rowMenus)('of %s', async (_, view, words, menu) => {
    const { contextValue: viewItem } = treeOf(view).provider.getTreeItem(await rowOf(view, words));
    const shown = menuText('view/item/context', { view, viewItem, isWorkspaceTrusted: true });
    expect(shown.map(sorted)).toEqual(menu.map(sorted));
  });
});

describe('a row', () => {
  test('of a source: it is renamed, switched off and on, and run', async () => {
    person.will('Shop orders');
    await onRow('weir.rename', 'weir.sources', 'Orders');
    await onRow('weir.deactivate', 'weir.sources', 'Shop orders');
    await expect.poll(tree('weir.sources')).toContain('| Shop orders | inactive');
    await onRow('weir.activate', 'weir.sources', 'Shop orders');
    await onRow('weir.invoke', 'weir.sources', 'Tick');
    await expect
      .poll(() => treeText('weir.sources'))
      .toContain('pass | Run by hand | 1 event · N ms · T');
    expect(person.heard.at(-1)).toBe('$(check) Tick emitted 1 event');
    await onRow('weir.copyEndpoint', 'weir.sources', 'Shop orders');
    expect(person.clipboard).toBe(endpoint);
    await onRow('weir.copyCurl', 'weir.sources', 'Shop orders');
    expect(person.clipboard).toContain(`curl -X POST '${endpoint}'`);
    expect(person.clipboard).toContain('--data-binary');
  });

  test('of a source that hangs: its run is stopped from it, from its row and from its document', async () => {
    await commands.executeCommand('weir.deploy', shop.file('hangs'));
    const stops = [
      () => onRow('weir.stopRun', 'weir.sources', 'Hangs'),
      async () => {
        const run = await runRow('Hangs', 'running');
        await commands.executeCommand('weir.showInvocation', run);
        await commands.executeCommand('weir.stopRun', world.documents.active?.document.uri);
        await commands.executeCommand('weir.showInvocation', run);
        expect(document()).toContain('Cancelled: was stopped by hand');
      },
      async () => commands.executeCommand('weir.stopRun', await runRow('Hangs', 'running')),
      () => {
        person.will('Run by hand');
        return commands.executeCommand('weir.stopRun');
      },
    ];
    for (const stop of stops) {
      const run = call('sources.invoke', { id: 'hangs' });
      await expect.poll(tree('weir.sources')).toContain('Hangs | running');
      await stop();
      expect((await run).status).toBe('cancelled');
      await expect.poll(tree('weir.sources')).not.toContain('running');
    }
    const { changes } = treeOf('weir.sources');
    changes.length = 0;
    person.will('Delete');
    await onRow('weir.delete', 'weir.sources', 'Hangs');
    // The whole tree is drawn anew.
    await expect.poll(() => changes).toContain(undefined);
  });

  test('of a source: its events alone are shown when it is selected', async () => {
    const node = await rowOf('weir.sources', 'Tick');
    treeOf('weir.sources').selected.fire({ selection: [node] });
    await expect.poll(tree('weir.events')).toBe('symbol-event | A tick | T');
    expect(treeOf('weir.events').view.description).toBe('Tick');
    await commands.executeCommand('weir.showAllEvents');
  });

  test('of an event: its document, its run, its inspector, and the difference to the one before', async () => {
    await onRow('weir.openEvent', 'weir.events', 'Order 2');
    expect(JSON.parse(document())).toMatchObject({ event: { id: 2 }, metadata: { name: 'paid' } });
    await onRow('weir.showInvocation', 'weir.events', 'Order 2');
    expect(document()).toMatch(/^POST \/ · Shop orders · inv_\w+\n[^]*order 2/);
    await onRow('weir.compareEvents', 'weir.events', 'Order 3');
    expect(world.ran.at(-1)).toMatchObject({ id: 'vscode.diff' });
    await onRow('weir.inspectEvent', 'weir.events', 'Order 2');
    expect(world.panels.at(-1)?.title).toBe('Event');
  });

  test('of a delivery: its attempts', async () => {
    await onRow('weir.showDelivery', 'weir.subscriptions', 'Order 4');
    const { attempts } = JSON.parse(document()) as { attempts: { response: { status: number } }[] };
    expect(attempts.map(({ response }) => response.status)).toEqual([410, 200]);
  });

  test('of a failed run: its request, the error, and where', async () => {
    const failed = await runRow('Shop orders', 'No such');
    await commands.executeCommand('weir.showInvocation', failed);
    expect(document()).toMatch(/Error: No such customer\n\s+at .*orders\.mjs:5:\d+/);
    expect(document()).toMatch(/^Request\n {2}POST http:[^]*\{"fail":true\}/m);
    await commands.executeCommand('weir.copyCurl', failed);
    expect(person.clipboard).toContain(`--data-binary '{"fail":true}'`);
  });
});

test('only the source that has run is drawn anew, not the tree', async () => {
  const { changes } = treeOf('weir.sources');
  changes.length = 0;
  await send({ id: 9 });
  await expect.poll(tree('weir.events')).toContain('Order 9');
  await expect.poll(() => changes.length).toBeGreaterThan(0);
  expect(changes.every((changed) => Array.isArray(changed) && changed.length === 1)).toBe(true);
});

test('Run Action runs it and shows what it gave', async () => {
  await commands.executeCommand('weir.runAction', shop.file('greet'));
  expect(JSON.parse(document())).toMatchObject({
    exports: { greeting: 'hello' },
    return_value: 42,
  });
});

describe('New Component', () => {
  const places = (): string[] => person.offered.map(({ label }) => label);

  test('writes one that deploys as it is, where it is told to', async () => {
    person.will('HTTP', 'My hook', 'components');
    await commands.executeCommand('weir.newComponent');
    const uri = world.documents.active?.document.uri;
    expect(uri?.fsPath).toBe(path.join(shop.folder, 'components', 'my-hook.mjs'));
    expect(await readFile(uri?.fsPath ?? '', 'utf8')).toBe(document());
    const definition = await call('components.inspect', { component_path: uri?.fsPath ?? '' });
    expect(definition.name).toBe('My hook');
  });

  test('writes nothing when the question is not answered', async () => {
    person.will('HTTP', 'Not now', undefined);
    await commands.executeCommand('weir.newComponent');
    expect(person.heard.at(-1)).toBe('New Component: where does not-now.mjs go?');
    expect(existsSync(path.join(shop.folder, 'components', 'not-now.mjs'))).toBe(false);
  });

  test('offers first where the last one went', async () => {
    person.will('Timer', 'Third', path.basename(shop.folder));
    await commands.executeCommand('weir.newComponent');
    expect(existsSync(path.join(shop.folder, 'third.mjs'))).toBe(true);
    person.will('Timer', 'Fourth');
    await commands.executeCommand('weir.newComponent');
    expect(places()).toEqual([
      `$(folder) ${path.basename(shop.folder)}`,
      '$(folder) components',
      '$(folder-opened) Another Folder…',
    ]);
  });

  test('asks nothing where a folder of the explorer was clicked', async () => {
    const folder = path.join(shop.folder, 'hooks');
    await mkdir(folder);
    person.will('HTTP', 'Clicked');
    await commands.executeCommand('weir.newComponent', Uri.file(folder));
    expect(existsSync(path.join(folder, 'clicked.mjs'))).toBe(true);
  });
});

test('Add Account asks for one field of $auth after the other, until an empty name', async () => {
  person.will('acme', 'Work', 'oauth_access_token', 'xoxb-1', 'team', 'T1', '');
  await commands.executeCommand('weir.addAccount');
  const { data } = await call('accounts.list', { app: 'acme' });
  expect(data).toMatchObject([{ name: 'Work' }]);
  expect(person.heard.at(-1)).toBe(`$(check) Account ${data[0]?.id} added`);
});

test.each([
  ['the name slug', ['']],
  ['the name', ['slack', ' ']],
  ['the first field', ['acme', 'Home', '']],
  ['a value', ['acme', 'Home', 'token', '']],
  ['what the app is known to need', ['slack', 'Home', '']],
])('Add Account does not take an empty text for %s', async (_, answers) => {
  person.will(...answers);
  await commands.executeCommand('weir.addAccount');
  expect(person.heard.at(-1)).toMatch(/^Add Account.*: .* is required\.$/);
});

test('Collect Diagnostics says what there is, and no key', async () => {
  await commands.executeCommand('weir.collectDiagnostics');
  expect(document()).toMatch(/2 sources, 1 webhook, 1 subscription\n/);
  const { apiKey } = JSON.parse(
    await readFile(path.join(shop.folder, '.weir', 'runtime.json'), 'utf8'),
  ) as { apiKey: string };
  expect(document()).not.toContain(apiKey);
});

test('what is deleted is asked about first, and goes from the trees', async () => {
  person.will('Delete');
  await onRow('weir.deleteEvents', 'weir.events', 'Order 9');
  await expect.poll(tree('weir.events')).not.toContain('Order 9');
  await onRow('weir.deleteSubscription', 'weir.subscriptions', 'Shop orders');
  person.will('Delete');
  await onRow('weir.deleteWebhook', 'weir.subscriptions', '/hook');
  await expect.poll(tree('weir.subscriptions')).toBe('');
  // As the Delete key does it, which is told only the view.
  person.will('Delete');
  const { view } = treeOf('weir.sources');
  Object.assign(view, { selection: [await rowOf('weir.sources', 'Tick')] });
  await commands.executeCommand('weir.deleteSelection', 'weir.sources');
  await expect.poll(tree('weir.sources')).not.toContain('Tick');
  Object.assign(view, { selection: [] });
  await commands.executeCommand('weir.deleteSelection', 'weir.sources');
  expect(await treeText('weir.sources')).toContain('Shop orders');
});

test('what is scheduled stands below its source until it is due, and can be cancelled', async () => {
  const { id, endpoint_url: url } = await call('sources.deploy', {
    component_path: shop.file('later'),
  });
  const { provider, changes } = treeOf('weir.sources');
  const scheduledRow = async () => {
    const rows = (await provider.getChildren(await rowOf('weir.sources', 'Later'))) ?? [];
    return rows.find((row) => provider.getTreeItem(row).label.startsWith('Scheduled'));
  };
  const eventsBelow = async (row: Awaited<ReturnType<typeof scheduledRow>>) =>
    row === undefined ? [] : ((await provider.getChildren(row)) ?? []);
  const below = async (): Promise<string> => {
    const row = await scheduledRow();
    if (row === undefined) return '';
    const { label, description = '' } = provider.getTreeItem(row);
    const labels = (await eventsBelow(row)).map((one) => provider.getTreeItem(one).label);
    return `${label} | ${description} | ${labels.join(', ')}`;
  };
  expect(await below()).toBe('');
  await post(url ?? '', { id: 2, inMs: 3_600_000 * 5 });
  await post(url ?? '', { id: 1, inMs: 3_600_000 * 3 });
  await expect.poll(below).toMatch(/^Scheduled \(2\) \| the next in 2h \| Later 1, Later 2$/);
  person.will('Cancel Events');
  const [row] = await eventsBelow(await scheduledRow());
  changes.length = 0;
  await commands.executeCommand('weir.cancelScheduled', row);
  expect(person.heard.at(-1)).toBe('Cancel this event?');
  await expect.poll(() => changes.length).toBeGreaterThan(0);
  expect(await below()).toMatch(/^Scheduled \(1\) \| the next in 4h \| Later 2$/);
  await post(url ?? '', { id: 3, inMs: 400 });
  await expect.poll(tree('weir.events')).toContain('Later 3');
  expect(await below()).toMatch(/^Scheduled \(1\) /);
  await call('sources.delete', { id });
  await expect.poll(tree('weir.sources')).not.toContain('Later');
});

test('an event names its source also when there is no other, but where the events of one are shown', async () => {
  const { changes } = treeOf('weir.events');
  const { length } = (await call('sources.list', {})).data;
  expect(length).toBe(1);
  expect(await treeText('weir.events')).toContain('Order 4 | T · Shop orders');
  const node = await rowOf('weir.sources', 'Shop orders');
  changes.length = 0;
  treeOf('weir.sources').selected.fire({ selection: [node] });
  // The rows are the same ones, and are drawn anew.
  await expect.poll(() => changes.length).toBe(1);
  expect(await treeText('weir.events')).not.toContain('Shop orders');
  await commands.executeCommand('weir.showAllEvents');
  expect(await treeText('weir.events')).toContain('Order 4 | T · Shop orders');
});

test('a runtime that is stopped leaves its rows, and one that is started again finds them', async () => {
  await commands.executeCommand('weir.runtime.stop');
  expect(world.context.get('weir.runtime')).toBe('stopped');
  expect(treeOf('weir.sources').view.message).toBe(
    'The runtime is stopped: no source runs until you restart it.',
  );
  expect(await treeText('weir.sources')).toContain('Shop orders');
  await commands.executeCommand('weir.runtime.restart');
  expect(world.context.get('weir.runtime')).toBe('ready');
  expect(treeOf('weir.sources').view.message).toBeUndefined();
  await send({ id: 10 });
  await expect.poll(tree('weir.events')).toContain('Order 10');
});

const call: OpenWindow['api']['runtime']['call'] = (method, params) =>
  opened.api.runtime.call(method, params);

async function deployedTick(): Promise<{ hash: string; count: number }> {
  const { data } = await call('sources.list', {});
  const ticks = data.filter(({ path: file }) => file === shop.file('tick'));
  return { hash: ticks[0]?.code_hash ?? '', count: ticks.length };
}

async function send(body: object): Promise<void> {
  await post(endpoint, body);
}

async function onRow(command: string, view: string, words: string): Promise<void> {
  await expect.poll(() => rowOf(view, words)).toBeDefined();
  await commands.executeCommand(command, await rowOf(view, words));
}

/** A run below a source, by words of its row. */
async function runRow(source: string, words: string): Promise<unknown> {
  const { provider } = treeOf('weir.sources');
  return until(`${words} below ${source}`, async () => {
    const runs = (await provider.getChildren(await rowOf('weir.sources', source))) ?? [];
    return runs.find((run) => provider.getTreeItem(run).description?.includes(words));
  });
}

/** Where runs of the orders threw. */
const marks = () => world.problems.get('weir-run')?.get(shop.file('orders')) ?? [];

const tree = (view: string) => () => treeText(view);

function document(): string {
  return world.documents.active?.document.getText() ?? '';
}

/** Rows of one place in a group stand in any order. */
function sorted(group: string): string {
  const [name = '', titles = ''] = group.split(': ');
  return `${name}: ${titles.split(', ').sort().join(', ')}`;
}
