import { ok, strictEqual } from 'node:assert';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { clearBreakpoints, Debugger } from './support/debugger.ts';
import { menu, row as rowIn, unfoldRow } from './support/rows.ts';
import { answer, screenshot, workbench } from './support/ui.ts';
import { edit, helloFile, inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';

suite('the test explorer', () => {
  let debug: Debugger;
  const file = (...parts: string[]): string => inWorkspace('orders', ...parts);
  const test1 = (expected: string): string =>
    `event:\n  body: { customer: Ada }\nexpect:\n  status: succeeded\n  steps:\n    greet:\n      $return_value: ${expected}\n`;

  suiteSetup(async () => {
    debug = new Debugger();
    await startAfresh();
    const fixtures = path.resolve(process.env['WEIR_TEST_FIXTURES'] ?? '', '..', 'workflows');
    await cp(fixtures, inWorkspace(), { recursive: true });
    await mkdir(file('tests'), { recursive: true });
    await writeFile(file('tests', 'greets.test.yaml'), test1('Hello Ada'));
    await writeFile(file('tests', 'wrong.test.yaml'), test1('Goodbye Ada'));
  });
  suiteTeardown(async () => {
    clearBreakpoints();
    await debug.end();
    debug.dispose();
    await rm(file('tests'), { recursive: true });
    await vscode.commands.executeCommand('testing.clearTestResults');
    await startAfresh();
  });

  /** @param label of a row as a screen reader hears it: the test and how it went */
  const row = async (label: RegExp): Promise<Locator> => {
    const page = await workbench();
    return page.getByRole('treeitem', { name: label });
  };

  test('shows the tests of each workflow below it', async () => {
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await (await row(/^orders/)).waitFor();
    await (await row(/^orders/)).click();
    await (await row(/^orders/)).press('ArrowRight');
    await (await row(/^greets \(Not yet run\)/)).waitFor();
    await (await row(/^wrong \(Not yet run\)/)).waitFor();
  });

  test('runs them: what came otherwise stands at its line, both values side by side', async () => {
    await open(file('tests', 'wrong.test.yaml'));
    await vscode.commands.executeCommand('testing.runAll');
    await (await row(/^greets \(Passed\)/)).waitFor();
    await (await row(/^wrong \(Failed\)/)).waitFor();
    const page = await workbench();
    await page.getByText('"Hello Ada" != "Goodbye Ada"').first().waitFor();
    await screenshot('test-explorer');
  });

  test('after an edit the test passes, and a file that is gone is no test', async () => {
    await edit(file('tests', 'wrong.test.yaml'), (text) => text.replace('Goodbye', 'Hello'));
    await vscode.commands.executeCommand('testing.runCurrentFile');
    await (await row(/^wrong \(Passed\)/)).waitFor();
    await rm(file('tests', 'wrong.test.yaml'));
    await until('its row to go', async () => (await (await row(/^wrong \(/)).count()) === 0);
  });

  test('a file that cannot be read says so at the place', async () => {
    await writeFile(file('tests', 'broken.test.yaml'), 'event: {}\nexpect:\n  nonsense: 1\n');
    await open(file('tests', 'broken.test.yaml'));
    await (await row(/^broken/)).waitFor();
    await vscode.commands.executeCommand('testing.runCurrentFile');
    await (await row(/^broken \(Errored\)/)).waitFor();
    await rm(file('tests', 'broken.test.yaml'));
  });

  test('debugs one: it stops in the code of a step, and ends with the test', async () => {
    await open(file('tests', 'greets.test.yaml'));
    const { runtime } = await weir();
    const told: string[] = [];
    const following = runtime.on('changes', (batch) => {
      told.push(...batch.map(({ type }) => type));
    });
    const place = await debug.breakAt(file('greet', 'entry.ts'), 'greet');
    const ended = vscode.commands.executeCommand('testing.debugCurrentFile');
    const stop = await debug.stopped(30_000);
    strictEqual(stop.place, place);
    strictEqual(await stop.evaluate('this.customer'), "'Ada'");
    await stop.go('continue');
    await ended;
    await (await row(/^greets \(Passed\)/)).waitFor();
    await until('the session to end', () => debug.sessions.size === 0);
    // It was never deployed: no tree shows it.
    following.dispose();
    ok(!told.includes('workflow'), told.join());
  });

  test('a run of a source is saved as a test, which runs and is debugged there', async () => {
    const { runtime } = await weir();
    const component_path = helloFile();
    const source = await runtime.call('sources.deploy', {
      component_path,
      configured_props: { greeting: 'hello' },
    });
    await post(source.endpoint_url ?? '', { id: 7, customer: 'Ada' });
    await vscode.commands.executeCommand('weir.sources.focus');
    const shown = await rowIn('Sources', 'Hello webhook');
    const ran = (await rowIn('Sources', 'POST /')).first();
    await unfoldRow(shown);
    await menu(ran, 'Save Run as Test…');
    await answer('Save Run as Test', 'order 7');
    const page = await workbench();
    await page.locator('.tab.active', { hasText: 'order-7.test.yaml' }).waitFor();
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    ok(/source: \.\.\/hello-webhook\.mjs/.test(text) && text.includes('Order 7 from Ada'), text);
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    const group = await row(/hello-webhook\.mjs/);
    await group.waitFor();
    await vscode.commands.executeCommand('testing.runCurrentFile');
    await group.click();
    await group.press('ArrowRight');
    await (await row(/^order-7 \(Passed\)/)).waitFor();
    await screenshot('test-of-source');
    const code = (await open(component_path)).document;
    const line = code.positionAt(code.getText().indexOf('this.$emit'));
    const at = new vscode.Location(vscode.Uri.file(component_path), line);
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(at)]);
    await open(path.join(path.dirname(component_path), 'tests', 'order-7.test.yaml'));
    const ended = vscode.commands.executeCommand('testing.debugCurrentFile');
    const stop = await debug.stopped(30_000);
    ok(stop.place.includes('hello-webhook.mjs'), stop.place);
    strictEqual(await stop.evaluate('event.body.customer'), "'Ada'");
    await stop.go('continue');
    await ended;
    await until('the session to end', () => debug.sessions.size === 0);
    await rm(path.join(path.dirname(component_path), 'tests'), { recursive: true });
  });
});
