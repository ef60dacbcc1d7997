import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { externalUrl } from '../../src/extension/external-url.ts';
import type { Source } from '../../src/protocol/catalogue.ts';
import {
  clearBreakpoints,
  copyDebugged,
  debugged,
  Debugger,
  lineOf,
  deployed,
  pressF5,
  undeploy,
} from './support/debugger.ts';
import { until } from '../support/until.ts';
import { menu, row } from './support/rows.ts';
import { lens, notification, pick, screenshot } from './support/ui.ts';
import { hello, open, post, startAfresh, weir } from './support/weir.ts';

suite('debugging', () => {
  let debug: Debugger;

  suiteSetup(async () => {
    await startAfresh();
    await copyDebugged();
    debug = new Debugger();
  });
  teardown(() => debug.end());
  suiteTeardown(() => debug.dispose());

  for (const file of ['counter.ts', 'plain.mjs']) {
    test(`the first F5 in ${file} stops at the top level of the module, then in run`, async () => {
      await undeploy(file);
      await open(debugged(file));
      const top = await debug.breakAt(debugged(file), 'top level');
      const run = await debug.breakAt(debugged(file), 'run');
      await pressF5();
      const first = await debug.stopped();
      strictEqual(first.place, top);
      await first.go('continue');
      const source = await deployed(file);
      const waits = await notification(`${source.name} is debugged, and waits for a request`);
      await waits.getByRole('button', { name: 'Copy as cURL' }).click();
      if ((await externalUrl(endpoint(source))) !== endpoint(source)) {
        await pick('Copy as cURL', 'For the machine that runs Weir');
      }
      await until('the command', async () =>
        (await vscode.env.clipboard.readText()).startsWith(`curl '${endpoint(source)}'`),
      );
      const answered = post(endpoint(source), { name: 'Ada', n: 21 });
      const second = await debug.stopped();
      strictEqual(second.place, run);
      strictEqual(second.reason, 'breakpoint');
      await until('the source to be paused', async () => (await deployed(file)).debug?.paused);
      await (await row('Sources', 'paused')).waitFor();
      await screenshot(`debug-run-${file}`);
      // Whoever gets the default answer has it already.
      if (file === 'plain.mjs') strictEqual((await answered).status, 200);
      await second.go('continue');
      strictEqual((await answered).status, 200);
      await until('it to go on', async () => (await deployed(file)).debug?.paused === false);
    });
  }

  test('a deploy under the debugger stops in its hooks', async () => {
    await undeploy('counter.ts');
    await open(debugged('counter.ts'));
    vscode.window.activeTextEditor?.revealRange(new vscode.Range(0, 0, 0, 0));
    const hook = await debug.breakAt(debugged('counter.ts'), 'hook');
    await (await lens('Debug')).click();
    const stop = await debug.stopped();
    strictEqual(stop.place, hook);
    match(stop.top.name, /activate$/);
    await stop.go('continue');
    await deployed('counter.ts');
  });

  test('variables, `this`, the console, stepping over await, into a method and an import', async () => {
    const source = await attachTo('counter.ts');
    const after = await debug.breakAt(debugged('counter.ts'), 'after await');
    const awaits = await debug.breakAt(debugged('counter.ts'), 'await');
    const answered = post(endpoint(source), { name: 'Ada', n: 21 });
    let stop = await debug.stopped();
    strictEqual(stop.place, awaits);
    const { count, name, n, total } = await stop.variables();
    match(count ?? '', /^\d+$/);
    deepStrictEqual([name, n, total], ["'Ada'", '21', '3']);
    strictEqual(await stop.evaluate('this.channel'), "'#general'");
    strictEqual(await stop.evaluate('this.db.get("count")'), count);
    strictEqual(await stop.evaluate('this.double(4)'), '8');
    match(await stop.evaluate('this.http.endpoint'), /\/h\/hi_/);
    clearBreakpoints();
    await stop.go('next');
    stop = await debug.stopped();
    strictEqual(stop.reason, 'step');
    strictEqual(stop.place, after);
    await stop.go('stepIn');
    stop = await debug.stopped();
    match(stop.top.name, /double$/);
    await stop.go('stepOut');
    stop = await debug.stopped();
    match(stop.top.name, /run$/);
    const imported = await debug.breakAt(debugged('lib', 'greet.ts'), 'imported');
    await stop.go('continue');
    stop = await debug.stopped();
    strictEqual(stop.place, imported);
    strictEqual((await stop.variables())['person'], "{name: 'Ada'}");
    await stop.go('continue');
    strictEqual(await (await answered).text(), 'Hello ADA');
    await until('the console output', () => debug.output.join('').includes('for Hello ADA'));
    const { runtime } = await weir();
    const logs = await runtime.call('logs.list', { id: source.id });
    ok(logs.data.some(({ text }) => text.includes('for Hello ADA')));
  });

  test('conditional breakpoints, hit counts and logpoints', async () => {
    const source = await attachTo('counter.ts');
    await debug.breakAt(debugged('counter.ts'), 'loop', { condition: 'i === 2' });
    await debug.breakAt(debugged('counter.ts'), 'after await', { log: 'total is {total}' });
    const answered = post(endpoint(source), { n: 1 });
    const stop = await debug.stopped();
    strictEqual((await stop.variables())['i'], '2');
    await stop.go('continue');
    await answered;
    await until('the log', () => debug.output.join('').includes('total is 3'));
    ok(debug.quiet);
    clearBreakpoints();
    await debug.breakAt(debugged('counter.ts'), 'loop', { hits: '2' });
    const again = post(endpoint(source), { n: 1 });
    const second = await debug.stopped();
    strictEqual((await second.variables())['i'], '1');
    await second.go('continue');
    await again;
  });

  test('exceptions: where they are thrown', async () => {
    const source = await attachTo('counter.ts');
    const session = await debug.process();
    await session.customRequest('setExceptionBreakpoints', { filters: ['all'] });
    const file = debugged('counter.ts');
    const thrown = Debugger.placeOf(file, await lineOf(file, 'throw'));
    const answered = post(endpoint(source), { n: -1 });
    const stop = await debug.stopped();
    strictEqual(stop.reason, 'exception');
    strictEqual(stop.place, thrown);
    await stop.go('continue');
    strictEqual((await answered).status, 400);
    const { runtime } = await weir();
    const { data } = await runtime.call('invocations.list', { id: source.id });
    const stack = data[0]?.error?.stack ?? '';
    ok(stack.includes(thrown.replace('counter.ts', file)), stack);
  });

  test('options() stops, asked by a form', async () => {
    const source = await attachTo('counter.ts');
    const options = await debug.breakAt(debugged('counter.ts'), 'options');
    const { runtime } = await weir();
    const asked = runtime.call('components.configure', { id: source.id, prop_name: 'colour' });
    const stop = await debug.stopped();
    strictEqual(stop.place, options);
    await screenshot('debug-options');
    await stop.go('continue');
    deepStrictEqual(
      (await asked).options.map(({ value }) => value),
      ['red', 'green'],
    );
  });

  test('while one source stands, the others run', async () => {
    const other = await hello();
    const source = await attachTo('counter.ts');
    await debug.breakAt(debugged('counter.ts'), 'run');
    const answered = post(endpoint(source), { n: 1 });
    const stop = await debug.stopped();
    const response = await post(other.endpoint_url, { id: 1, customer: 'Ada' });
    strictEqual(response.status, 200);
    const { runtime } = await weir();
    const run = await runtime.call('runtime.info', {});
    ok(run.hosts.some(({ source_id: id, in_flight: n }) => id === source.id && n === 1));
    await stop.go('continue');
    await answered;
  });

  test('a save while it stands: the run goes on to its end, then the new code is debugged', async () => {
    const source = await attachTo('counter.ts');
    const editor = await open(debugged('counter.ts'));
    await debug.breakAt(debugged('counter.ts'), 'run');
    const answered = post(endpoint(source), { name: 'Ada', n: 1 });
    const stop = await debug.stopped();
    const before = new Set(debug.sessions);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// a new first line\n'));
    await editor.document.save();
    await stop.go('continue');
    // The breakpoint moved with its line, which is the next one in the code that still runs.
    strictEqual((await debug.runOn(answered)).status, 200);
    await until('the old session to end', () =>
      [...before].every((session) => !debug.sessions.has(session)),
    );
    clearBreakpoints();
    const run = await debug.breakAt(debugged('counter.ts'), 'run');
    const again = post(endpoint(source), { n: 1 });
    const second = await debug.stopped();
    strictEqual(second.place, run);
    clearBreakpoints();
    await second.go('continue');
    await debug.runOn(again);

    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'const {\n'));
    await editor.document.save();
    // Not by its mark: TypeScript may have marked the line before.
    await notification(/counter\.ts/);
    strictEqual((await debug.runOn(post(endpoint(source), { n: 1 }))).status, 200);
    strictEqual((await deployed('counter.ts')).debug?.processes.length, 1);
    await copyDebugged();
    const { runtime } = await weir();
    const path = debugged('counter.ts');
    await runtime.call('sources.update', { id: source.id, component_path: path });
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  for (const how of ['disconnect', 'stop'] as const) {
    test(`${how} while it stands: the source stays deployed and runs`, async () => {
      const source = await attachTo('counter.ts');
      const port = (await deployed('counter.ts')).debug?.processes[0]?.port ?? 0;
      await debug.breakAt(debugged('counter.ts'), 'run');
      const answered = post(endpoint(source), { name: 'Ada', n: 1 });
      await debug.stopped();
      await vscode.commands.executeCommand(`workbench.action.debug.${how}`);
      strictEqual((await answered).status, 200);
      await until('no debugging', async () => (await deployed('counter.ts')).debug === null);
      await until('the port to close', async () => !(await isOpen(port)));
      strictEqual((await post(endpoint(source), { n: 2 })).status, 200);
    });
  }

  test('an action runs once under the debugger, and its result is shown', async () => {
    await open(debugged('add.ts'));
    const run = await debug.breakAt(debugged('add.ts'), 'run');
    await pressF5();
    const stop = await debug.stopped();
    strictEqual(stop.place, run);
    strictEqual(await stop.evaluate('this.a'), '20');
    await stop.go('continue');
    await until('the result', () =>
      vscode.workspace.textDocuments.some(
        (document) =>
          document.uri.scheme === 'weir-result' &&
          document.getText().includes('"return_value": 42'),
      ),
    );
    await until('the session to end by itself', () => debug.sessions.size === 0);
  });

  test('an action that fails under the debugger says why, as one that is run does', async () => {
    const file = debugged('fails.mjs');
    await writeFile(
      file,
      `export default {
  key: 'debug-fails', name: 'Debug fails', version: '0.0.1', type: 'action', props: {},
  run() {
    throw new Error('No such sum'); // stop: run
  },
};
`,
    );
    // The result of the run before stands beside the code.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await open(file);
    const run = await debug.breakAt(file, 'run');
    await pressF5();
    const stop = await debug.stopped();
    strictEqual(stop.place, run);
    await stop.go('continue');
    await notification(/Debug fails failed\. Error: No such sum/);
    await until('the session to end by itself', () => debug.sessions.size === 0);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  test('Debug Component in the tree; a weir launch configuration', async () => {
    const source = await deployed('counter.ts');
    await menu(await row('Sources', 'Debug counter'), 'Debug Component');
    await until('a session', () => debug.sessions.size === 2);
    await debug.end();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const started = await vscode.debug.startDebugging(folder, {
      type: 'weir',
      request: 'launch',
      name: 'By slug',
      source: source.name_slug,
    });
    strictEqual(started, true);
    await debug.end();
    const byFile = { type: 'weir', request: 'launch', name: 'By file' };
    const component = '${workspaceFolder}/debugging/counter.ts';
    strictEqual(await vscode.debug.startDebugging(folder, { ...byFile, component }), true);
  });

  /** A deployed source with a debugger attached, nothing stopped. */
  async function attachTo(file: string): Promise<Source> {
    await open(debugged(file));
    const started = await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], {
      type: 'weir',
      request: 'launch',
      name: 'Test',
      component: debugged(file),
    });
    strictEqual(started, true);
    await debug.process();
    await until('the process to be loaded', async () => {
      const { runtime } = await weir();
      const source = await deployed(file);
      const { hosts } = await runtime.call('runtime.info', {});
      return source.debug !== null && hosts.some(({ source_id: id }) => id === source.id);
    });
    return deployed(file);
  }
});

function endpoint({ endpoint_url: url }: Source): string {
  if (url === null) throw new Error('The source has no endpoint.');
  return url;
}

async function isOpen(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/json`).then(
    () => true,
    () => false,
  );
}
