import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { DryRun, Source } from '../../src/protocol/catalogue.ts';
import { copyDebugged, debugged, Debugger, deployed } from './support/debugger.ts';
import { until } from '../support/until.ts';
import { menu, row } from './support/rows.ts';
import {
  answer,
  chooseFile,
  notification,
  pick,
  runCommand,
  screenshot,
  workbench,
} from './support/ui.ts';
import { inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';

suite('runs with an event', () => {
  let debug: Debugger;
  let source: Source;

  suiteSetup(async () => {
    await startAfresh();
    await copyDebugged();
    debug = new Debugger();
    const { runtime } = await weir();
    source = await runtime.call('sources.deploy', { component_path: debugged('counter.ts') });
    await post(source.endpoint_url ?? '', { name: 'Ada', n: 21 });
    await open(debugged('counter.ts'));
  });
  teardown(() => debug.end());
  suiteTeardown(() => debug.dispose());

  test('a dry run of typed JSON shows what it would do, and keeps nothing', async () => {
    await runCommand('Weir: Run with Event…');
    await pick('Run with Event: Debug counter', 'Type JSON…');
    await answer('What run(event) gets', '{"body":{"name":"Grace","n":4}}');
    await pick('Run with Event: Debug counter', 'Dry Run');
    const run = await result();
    strictEqual(run.status, 'succeeded');
    deepStrictEqual(run.emits[0]?.event, { count: 2, doubled: 8, total: 3, text: 'Hello GRACE' });
    deepStrictEqual(run.db, [{ prop: 'db', key: 'count', value: 2 }]);
    await screenshot('debug-dry-run');
    const { runtime } = await weir();
    strictEqual((await runtime.call('events.list', { id: source.id })).data.length, 1);
  });

  test('a past request is replayed dry under the debugger, as it was received', async () => {
    await open(debugged('counter.ts'));
    const place = await debug.breakAt(debugged('counter.ts'), 'run');
    await runCommand('Weir: Run with Event…');
    await pick('Run with Event: Debug counter', 'POST /');
    await pick('Run with Event: Debug counter', 'Debug Dry Run');
    const stop = await debug.stopped();
    strictEqual(stop.place, place);
    strictEqual(await stop.evaluate('event.body.name'), "'Ada'");
    strictEqual(await stop.evaluate('event.method'), "'POST'");
    await stop.go('continue');
    const run = await result();
    strictEqual(run.response?.body, 'Hello ADA');
    await until('the session to end by itself', () => debug.sessions.size === 0);
    strictEqual((await deployed('counter.ts')).debug, null);
  });

  test('an event is replayed for real under the debugger', async () => {
    await open(debugged('counter.ts'));
    const place = await debug.breakAt(debugged('counter.ts'), 'run');
    await menu(await row('Events', 'Hello ADA'), 'Replay…');
    await pick('Replay: Debug counter', 'Debug Run');
    const stop = await debug.stopped();
    strictEqual(stop.place, place);
    strictEqual(await stop.evaluate('event.body.n'), '21');
    await stop.go('continue');
    const { runtime } = await weir();
    await until('the replay', async () => {
      const { data } = await runtime.call('invocations.list', { id: source.id });
      return data[0]?.cause === 'replay' && data[0].status === 'succeeded' && data[0].replay_of;
    });
  });

  test('a stored event is what run gets, as it was emitted', async () => {
    await open(debugged('counter.ts'));
    await debug.breakAt(debugged('counter.ts'), 'run');
    await runCommand('Weir: Run with Event…');
    await pick('Run with Event: Debug counter', 'Hello ADA');
    await pick('Run with Event: Debug counter', 'Debug Dry Run');
    const stop = await debug.stopped();
    strictEqual(await stop.evaluate('event.doubled'), '42');
    strictEqual(await stop.evaluate('event.text'), "'Hello ADA'");
    await stop.go('continue');
    const run = await result();
    strictEqual(run.emits[0]?.summary, 'Hello NOBODY');
    await until('the session to end by itself', () => debug.sessions.size === 0);
  });

  test('an event from a JSON file is run for real', async () => {
    const file = inWorkspace('linus.json');
    await writeFile(file, '{"body":{"name":"Linus","n":8}}');
    await open(debugged('counter.ts'));
    await runCommand('Weir: Run with Event…');
    await pick('Run with Event: Debug counter', 'JSON from a file…');
    await chooseFile('Run with Event: Debug counter', file);
    const page = await workbench();
    await page.locator('.quick-input-widget .monaco-list-row[aria-label^="Run"]').click();
    await (await row('Events', 'Hello LINUS')).waitFor();
    const { runtime } = await weir();
    const { data } = await runtime.call('invocations.list', { id: source.id });
    strictEqual(data[0]?.cause, 'manual');
  });

  test('a stack trace leads to the original file', async () => {
    await open(debugged('counter.ts'));
    await runCommand('Weir: Run with Event…');
    await pick('Run with Event: Debug counter', 'Type JSON…');
    await answer('What run(event) gets', '{"body":{"n":-1}}');
    await pick('Run with Event: Debug counter', 'Dry Run');
    const run = await result();
    match(run.error?.message ?? '', /negative/);
    const document = resultDocument();
    ok(document);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    const target = links.find(({ target: to }) => to?.fsPath === debugged('counter.ts'))?.target;
    match(target?.fragment ?? '', /^L52,\d+$/);
  });

  test('a file that is not deployed is run dry under the debugger, with its sample', async () => {
    await open(debugged('plain.mjs'));
    const place = await debug.breakAt(debugged('plain.mjs'), 'run');
    await runCommand('Weir: Run with Event…');
    await pick('Run with Event: Debug plain', 'Sample of the component');
    await pick('Run with Event: Debug plain', 'Debug Dry Run');
    const stop = await debug.stopped();
    strictEqual(stop.place, place);
    strictEqual(await stop.evaluate('event.path'), "'/sample'");
    await stop.go('continue');
    strictEqual((await result()).status, 'succeeded');
    await until('the session to end by itself', () => debug.sessions.size === 0);
    const { runtime } = await weir();
    const { data } = await runtime.call('sources.list', { limit: 100 });
    strictEqual(
      data.some(({ path }) => path === debugged('plain.mjs')),
      false,
    );
  });

  test('an action takes no event, which is said', async () => {
    await open(debugged('add.ts'));
    await runCommand('Weir: Run with Event…');
    await notification(/add\.ts is an action, which takes no event; run or debug it/);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  /** The newest result that is shown, which is closed then. */
  async function result(): Promise<DryRun> {
    const document = await until('the result', () => resultDocument());
    const shown = JSON.parse(document.getText()) as DryRun;
    return shown;
  }

  function resultDocument(): vscode.TextDocument | undefined {
    return vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.scheme === 'weir-result' && document.getText() !== seen,
    )?.document;
  }
  let seen = '';
  teardown(() => {
    seen = resultDocument()?.getText() ?? seen;
  });
});
