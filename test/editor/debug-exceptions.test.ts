import { match, strictEqual } from 'node:assert';
import * as vscode from 'vscode';
import type { Source } from '../../src/protocol/catalogue.ts';
import { copyDebugged, debugged, Debugger, deployed, lineOf } from './support/debugger.ts';
import { open, post, startAfresh, weir } from './support/weir.ts';
import { until } from '../support/until.ts';

suite('debugging what is thrown, and once more', () => {
  const file = debugged('throws.mjs');
  let debug: Debugger;
  let source: Source;
  let session: vscode.DebugSession;

  suiteSetup(async () => {
    await startAfresh();
    await copyDebugged();
    debug = new Debugger();
    await open(file);
    await vscode.commands.executeCommand('weir.debug', file);
    session = await debug.process();
    source = await deployed('throws.mjs');
    const { runtime } = await weir();
    await until('the process to be loaded', async () => {
      const { hosts } = await runtime.call('runtime.info', {});
      return hosts.some(({ source_id: id }) => id === source.id);
    });
  });
  suiteTeardown(async () => {
    await debug.end();
    debug.dispose();
  });

  test('all exceptions: the one that is caught, then the one that is not', async () => {
    await session.customRequest('setExceptionBreakpoints', { filters: ['all'] });
    void post(source.endpoint_url ?? '', { fail: true });
    for (const mark of ['caught', 'uncaught']) {
      const stop = await debug.stopped();
      strictEqual(stop.reason, 'exception');
      strictEqual(stop.place, Debugger.placeOf(file, await lineOf(file, mark)));
      await stop.go('continue');
    }
  });

  test('uncaught exceptions: only the one that nobody in the component catches', async () => {
    await session.customRequest('setExceptionBreakpoints', { filters: ['uncaught'] });
    void post(source.endpoint_url ?? '', { fail: true });
    const stop = await debug.stopped();
    strictEqual(stop.reason, 'exception');
    strictEqual(stop.place, Debugger.placeOf(file, await lineOf(file, 'uncaught')));
    await stop.go('continue');
    const { runtime } = await weir();
    const run = await until('the run to fail', async () => {
      const { data } = await runtime.call('invocations.list', { id: source.id });
      return data[0]?.status === 'failed' && data[0];
    });
    match(run.error?.message ?? '', /nothing was read/);
    strictEqual((await deployed('throws.mjs')).debug?.processes.length, 1);
  });

  test('restart frame: the method runs once more from its first line', async () => {
    await session.customRequest('setExceptionBreakpoints', { filters: [] });
    const place = await debug.breakAt(file, 'restart');
    const caught = await debug.breakAt(file, 'caught');
    const answered = post(source.endpoint_url ?? '', { fail: true });
    const first = await debug.stopped();
    strictEqual(first.place, place);
    await first.go('continue');
    const second = await debug.stopped();
    strictEqual(second.place, caught);
    await session.customRequest('restartFrame', { frameId: second.top.id });
    const again = await debug.stopped();
    strictEqual(again.place, place);
    await debug.end();
    await answered;
  });
});
