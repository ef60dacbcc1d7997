import { match, ok, strictEqual } from 'node:assert';
import * as vscode from 'vscode';
import type { Source } from '../../src/protocol/catalogue.ts';
import {
  clearBreakpoints,
  copyDebugged,
  debugged,
  Debugger,
  deployed,
} from './support/debugger.ts';
import { until } from '../support/until.ts';
import { startAfresh, weir } from './support/weir.ts';

/** One session for all of them, as a person has one. */
suite('debugging whatever triggers a component', () => {
  let debug: Debugger;
  let source: Source;

  suiteSetup(async () => {
    await startAfresh();
    await copyDebugged();
    debug = new Debugger();
  });
  teardown(() => clearBreakpoints());
  suiteTeardown(async () => {
    await debug.end();
    debug.dispose();
    await startAfresh();
  });

  test('a deploy with props of the launch configuration: the hooks deploy and activate', async () => {
    const { runtime } = await weir();
    const credentials = { token: 'secret' };
    const account = await runtime.call('accounts.create', { app: 'thing', credentials });
    const marks = ['deploy', 'activate'];
    const places: string[] = [];
    for (const mark of marks) places.push(await debug.breakAt(debugged('places.mjs'), mark));
    await debugs('places.mjs', { props: { thing: { authProvisionId: account.id } } });
    const reached: string[] = [];
    for (const _ of marks) {
      const stop = await debug.stopped();
      reached.push(stop.place);
      match(stop.top.name, /(de|a)\w+$/);
      await stop.go('continue');
    }
    strictEqual(reached.sort().join(), places.sort().join());
    source = await deployed('places.mjs');
    await loaded();
  });

  test('by hand, with the app object on `this`, into a method of the app', async () => {
    const place = await debug.breakAt(debugged('places.mjs'), 'by hand');
    const { runtime } = await weir();
    // Without an event, a source with a timer gets a tick.
    const ended = runtime.call('sources.invoke', { id: source.id, event: {} });
    let stop = await debug.stopped();
    strictEqual(stop.place, place);
    strictEqual(await stop.evaluate('this.thing.$auth.token'), "'secret'");
    strictEqual(await stop.evaluate('this.thing.double(4)'), '8');
    strictEqual(await stop.evaluate('this.db.get("began")'), 'true');
    const inApp = await debug.breakAt(debugged('lib', 'thing.app.mjs'), 'app method');
    await stop.go('stepIn');
    stop = await debug.stopped();
    strictEqual(stop.place, inApp);
    strictEqual((await stop.variables())['n'], '21');
    clearBreakpoints();
    await stop.go('continue');
    strictEqual((await ended).emitted[0]?.metadata.summary, 'doubled to 42');
  });

  test('by its timer', async () => {
    const place = await debug.breakAt(debugged('places.mjs'), 'timer');
    const stop = await debug.stopped();
    strictEqual(stop.place, place);
    strictEqual(await stop.evaluate('event.interval_seconds'), '1');
    clearBreakpoints();
    await stop.go('continue');
  });

  test('additionalProps(), asked by a form', async () => {
    const place = await debug.breakAt(debugged('places.mjs'), 'additional props');
    const { runtime } = await weir();
    const asked = runtime.call('components.props', { id: source.id });
    const stop = await debug.stopped();
    strictEqual(stop.place, place);
    strictEqual(await stop.evaluate('this.kind'), "'small'");
    await stop.go('continue');
    ok((await asked).configurable_props.some(({ name }) => name === 'extra'));
  });

  test('by a subscription, in a .js file, while its emitter is debugged as well', async () => {
    const { runtime } = await weir();
    const listener = await runtime.call('sources.deploy', {
      component_path: debugged('listener.js'),
    });
    const ids = { emitter_id: source.id, listener_id: listener.id };
    await runtime.call('subscriptions.create', ids);
    await debugs('listener.js');
    // Not any second one: that of a form may be about to end.
    await debug.process('Debug listener');
    const place = await debug.breakAt(debugged('listener.js'), 'run');
    const ended = runtime.call('sources.invoke', { id: source.id, event: {} });
    const stop = await debug.stopped();
    strictEqual(stop.place, place);
    strictEqual(await stop.evaluate('event.doubled'), '42');
    await stop.go('continue');
    await ended;
  });

  test('its hook deactivate', async () => {
    const place = await debug.breakAt(debugged('places.mjs'), 'deactivate');
    const { runtime } = await weir();
    const updated = runtime.call('sources.update', { id: source.id, active: false });
    const stop = await debug.stopped();
    strictEqual(stop.place, place);
    clearBreakpoints();
    await stop.go('continue');
    strictEqual((await debug.runOn(updated)).active, false);
  });

  async function debugs(file: string, more: object = {}): Promise<void> {
    const started = await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], {
      type: 'weir',
      request: 'launch',
      name: `Debug ${file}`,
      component: debugged(file),
      ...more,
    });
    strictEqual(started, true);
  }

  async function loaded(): Promise<void> {
    const { runtime } = await weir();
    await until('the process to be loaded', async () => {
      const { hosts } = await runtime.call('runtime.info', {});
      return hosts.some(({ source_id: id }) => id === source.id);
    });
  }
});
