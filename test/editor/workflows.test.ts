import { match, ok, strictEqual } from 'node:assert';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Execution, Workflow } from '../../src/protocol/catalogue.ts';
import { until } from '../support/until.ts';
import { clearBreakpoints, Debugger, lineOf } from './support/debugger.ts';
import { menu, row, rows } from './support/rows.ts';
import {
  answer,
  confirm,
  lens,
  lenses,
  notification,
  pick,
  runCommand,
  screenshot,
  themes,
  useTheme,
  workbench,
} from './support/ui.ts';
import { edit, inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';
import { fold, pageTitled, unfold } from './support/workflows.ts';

suite('a workflow', () => {
  let debug: Debugger;
  const file = (...parts: string[]): string => inWorkspace('orders', ...parts);
  suiteSetup(async () => {
    debug = new Debugger();
    await startAfresh();
    const fixtures = path.resolve(process.env['WEIR_TEST_FIXTURES'] ?? '', '..', 'workflows');
    await cp(fixtures, inWorkspace(), { recursive: true });
  });
  teardown(async () => {
    clearBreakpoints();
    await debug.end();
  });
  suiteTeardown(async () => {
    debug.dispose();
    await useTheme(undefined);
    await startAfresh();
  });

  test('is deployed by its lens', async () => {
    const page = await workbench();
    await page.locator('.welcome-view', { hasText: 'a folder with a workflow.yaml' }).waitFor();
    await open(file('workflow.yaml'));
    await (await lens('Deploy')).click();
    const shown = await row('Workflows', 'Orders');
    await shown.waitFor();
    const [http] = (await orders()).triggers;
    match(await shown.innerText(), new RegExp(new URL(http?.endpoint_url ?? '').pathname));
    await (await lens('Update')).waitFor();
    ok((await lenses()).some((text) => text.includes('no execution yet')));
  });

  test('called over HTTP, its execution and steps are seen in the tree', async () => {
    const response = await post(await endpoint(), { customer: 'Ada' });
    strictEqual(response.status, 201);
    strictEqual(await response.text(), '{"said":"Hello Ada"}');
    await unfold('Orders');
    await (await row('Workflows', 'POST /')).waitFor();
    await unfold('POST /');
    await (await row('Workflows', 'an order of Ada')).waitFor();
    match((await rows('Workflows')).join('\n'), /greet[^]*Hello Ada[^]*answer/);
    await until('the steps in the lenses', async () =>
      (await lenses()).some((text) => text.includes('Hello Ada')),
    );
    await inThemes('workflow');
  });

  test('an execution as a page with its timeline, as text, and replayed', async () => {
    await (await row('Workflows', 'POST /')).first().click();
    const shown = await pageTitled('POST /');
    await shown.getByRole('treeitem', { name: /^greet/ }).click();
    await shown.getByRole('tree', { name: 'Return value' }).getByText('"Hello Ada"').waitFor();
    await shown.getByText("greeted { customer: 'Ada' }").waitFor();
    await inThemes('execution');
    const document = await asText();
    await (await lens('Replay')).waitFor();
    const text = document.getText();
    match(text, /^POST \/ · Orders · exec_\d+\n/);
    match(text, /"customer":"Ada"/);
    match(
      text,
      /✔ greet · succeeded · .*Hello Ada\n {2}Props\n {4}\{\n {6}"customer": "Ada"\n {4}\}\n {2}Return value\n {4}"Hello Ada"/,
    );
    match(text, /\nResponse\n {2}201 by answer\n[^]*\{"said":"Hello Ada"\}/);
    match(text, /\[info\] greeted { customer: 'Ada' }/);
    await screenshot('execution-text');
    await (await lens('Show Timeline')).click();
    const again = await pageTitled('POST /');
    // What was chosen before is shown again.
    await again.getByRole('button', { name: 'Replay', exact: true }).click();
    await pageTitled('Replay of POST /');
    await (await row('Workflows', 'Replay of POST /')).waitFor();
  });

  test('it runs again from one of its steps, with other props', async () => {
    await unfold('Replay of POST /');
    await menu((await row('Workflows', 'an order of Ada')).first(), 'Show Execution…');
    const shown = await pageTitled('Replay of POST /');
    await shown.locator('.details h2', { hasText: 'check' }).waitFor();
    await shown.getByRole('treeitem', { name: /^greet/ }).click();
    const before = await newest();
    await shown.getByRole('button', { name: 'Run from This Step with Other Props…' }).click();
    await answer('Run from This Step with Other Props', '{"customer": "Hedy"}');
    await until('another one', async () => (await newest()).replay_of === before.id);
    await until('its end', async () => (await newest()).status === 'succeeded');
    const { runtime } = await weir();
    const { id } = await newest();
    const { steps } = await runtime.call('executions.get', { id });
    strictEqual(steps.find(({ namespace }) => namespace === 'greet')?.return_value, 'Hello Hedy');
    const rerun = await pageTitled('Replay of POST /');
    await rerun.getByRole('treeitem', { name: /^greet/ }).click();
    await rerun.getByRole('tree', { name: 'Return value' }).getByText('"Hello Hedy"').waitFor();
    await rerun.getByRole('button', { name: 'Pin the Result…' }).click();
    await answer('Pin the Result of greet', 'hedy');
    await until('the pin', () =>
      vscode.window.activeTextEditor?.document.uri.path.endsWith('/greet/pins/hedy.json'),
    );
    match(await readFile(file('greet', 'pins', 'hedy.json'), 'utf8'), /Hello Hedy/);
  });

  test('one of its steps runs by itself, as its file is now', async () => {
    await open(file('greet', 'entry.ts'));
    await (await lens('Run This Step')).click();
    const shown = await pageTitled('Test of POST /');
    await shown.getByText('nothing was emitted, delivered or scheduled').waitFor();
    await shown.getByRole('treeitem', { name: /^greet, .*succeeded/ }).waitFor();
    const document = await asText();
    await until('its end', () => document.getText().includes('✔ greet · succeeded'));
    match(document.getText(), /^Test of POST \/ · Orders · exec_\d+\n/);
    ok(!document.getText().includes('answer'), document.getText());
    await (await row('Workflows', 'Test of POST /')).waitFor();
    // What is deployed has no part in it.
    const code = await readFile(file('check', 'entry.ts'), 'utf8');
    await writeFile(file('check', 'entry.ts'), 'this is no code');
    await open(file('workflow.yaml'));
    await (await lens('Run This Step')).first().click();
    await until('the mark in the code', () =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(file('check', 'entry.ts')))
        .some(({ source }) => source === 'Weir'),
    );
    await writeFile(file('check', 'entry.ts'), code);
    await (await lens('Run This Step')).first().click();
    const again = await pageTitled('Test of POST /');
    await again.getByRole('treeitem', { name: /^check, .*succeeded/ }).waitFor();
  });

  test('stops at a breakpoint in its second step, in what that imports and in the next step', async () => {
    await open(file('greet', 'entry.ts'));
    const page = await workbench();
    const second = await breakAt(file('greet', 'entry.ts'), 'greet');
    const imported = await breakAt(file('lib', 'greeting.ts'), 'imported');
    const third = await breakAt(file('answer', 'entry.mjs'), 'answer');
    await page.locator('.editor-actions [aria-label^="Debug Workflow"]').first().waitFor();
    await page.locator('.editor-group-container.active .view-lines').first().click();
    await page.keyboard.press('F5');
    await pick('Debug Workflow: Orders', 'Wait for a request');
    await until('a debugged process', async () => (await orders()).debug?.processes.length === 1);
    await until('the debugger', () => debug.processes.length === 1);
    const answered = post(await endpoint(), { customer: 'Grace' });
    let stop = await debug.stopped();
    strictEqual(stop.place, second);
    strictEqual(await stop.evaluate('this.customer'), "'Grace'");
    await (await row('Workflows', 'at a breakpoint')).waitFor();
    await screenshot('workflow-debug');
    await stop.go('continue');
    stop = await debug.stopped();
    strictEqual(stop.place, imported);
    await stop.go('continue');
    stop = await debug.stopped();
    strictEqual(stop.place, third);
    await stop.go('continue');
    strictEqual(await (await answered).text(), '{"said":"Hello Grace"}');
    strictEqual(debug.processes.length, 1);
  });

  test('under the debugger the trigger of a past execution runs it again', async () => {
    await open(file('workflow.yaml'));
    const first = await breakAt(file('check', 'entry.ts'), 'check');
    await (await lens('Debug…')).first().click();
    await pick('Debug Workflow: Orders', 'Replay of POST /');
    const stop = await debug.stopped();
    strictEqual(stop.place, first);
    strictEqual(await stop.evaluate('this.customer'), "'Ada'");
    await stop.go('continue');
  });

  test('what is wrong with its text is marked while it is typed', async () => {
    const { document } = await open(file('workflow.yaml'));
    const text = document.getText();
    await edit(file('workflow.yaml'), (was) =>
      was.replace('namespace: answer', 'namespace: greet'),
    );
    const marks = (): readonly vscode.Diagnostic[] =>
      vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Weir');
    const [mark] = await until('the mark', () => (marks().length > 0 ? marks() : undefined));
    match(document.lineAt(mark?.range.start.line ?? 0).text, /namespace: greet/);
    await writeFile(file('workflow.yaml'), text);
    await until('no mark', () => marks().length === 0);
  });

  test('why it cannot be deployed stands at its line', async () => {
    const text = await readFile(file('workflow.yaml'), 'utf8');
    const document = await open(file('workflow.yaml'));
    await edit(file('workflow.yaml'), (was) => was.replace('./greet/entry.ts', './gone/entry.ts'));
    await (await lens('Update')).click();
    await notification(/greet: .*gone/);
    const [problem] = await until('the mark', () => {
      const found = vscode.languages.getDiagnostics(document.document.uri);
      return found.length > 0 ? found : undefined;
    });
    match(document.document.lineAt(problem?.range.start.line ?? 0).text, /greet|gone/);
    await screenshot('workflow-problem');
    await writeFile(file('workflow.yaml'), text);
    await until('the text', () => document.document.getText() === text);
    await vscode.commands.executeCommand('notifications.clearAll');
    await (await lens('Update')).click();
    await until(
      'no mark',
      () => vscode.languages.getDiagnostics(document.document.uri).length === 0,
    );
  });

  test('an execution that fails is seen in the tree, with its error', async () => {
    await post(await endpoint(), {});
    await (await row('Workflows', 'An order has a customer')).first().waitFor();
    await (await row('Workflows', 'An order has a customer')).first().click();
    const shown = await pageTitled('POST /');
    // What failed is what is shown first.
    await shown.locator('.details .error', { hasText: 'check/entry.ts:4' }).waitFor();
    await screenshot('execution-failed');
    await shown.locator('.details .error a').first().click();
    await until('the line of the code', () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.fsPath === file('check', 'entry.ts')
        ? editor.selection.active.line === 3
        : false;
    });
    const check = vscode.Uri.file(file('check', 'entry.ts'));
    const mark = await until('the mark', () =>
      vscode.languages.getDiagnostics(check).find(({ source }) => source === 'Weir'),
    );
    strictEqual(mark.range.start.line, 3);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    const told = await notification('Orders: check: An order has a customer');
    await told.getByRole('button', { name: 'Show Execution' }).click();
    const fromNotification = await pageTitled('POST /');
    await fromNotification.locator('.details .error', { hasText: 'check/entry.ts:4' }).waitFor();
    await vscode.commands.executeCommand('notifications.clearAll');
    await post(await endpoint(), { customer: 'Ada' });
    await until('no mark', () =>
      vscode.languages.getDiagnostics(check).every(({ source }) => source !== 'Weir'),
    );
  });

  test('run with what is typed; what it waits for is resumed from its document', async () => {
    await fold('Orders');
    await open(file('waits', 'workflow.yaml'));
    await (await lens('Deploy')).click();
    await (await row('Workflows', 'Waits')).waitFor();
    await (await lens('Run with Event…')).click();
    await pick('Run with Event: Waits', 'Type JSON…');
    await answer('Run with Event: Waits', '{"who": "Hedy"}');
    const waiting = await pageTitled('Run by hand');
    await waiting.locator('.details h2', { hasText: 'hold' }).waitFor();
    await inThemes('execution-paused');
    const document = await asText();
    // VS Code reads no lenses of an editor that has lost the focus.
    await (await lens('Resume')).waitFor();
    match(document.getText(), /Run by hand · Waits/);
    match(document.getText(), /"who": "Hedy"/);
    match(document.getText(), /Resume: http:\S+\/resume/);
    await (await row('Workflows', 'Waits')).waitFor();
    await unfold('Waits');
    await unfold('due in');
    await (await row('Workflows', 'waits to be resumed')).first().waitFor();
    await (await lens('Resume')).click();
    await until('its end', () => /✔ after · succeeded · .*Hedy/.test(document.getText()));
    await (await lens('Replay')).click();
    const again = await pageTitled('Replay');
    await again.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    await again.getByRole('button', { name: 'Cancel', exact: true }).click();
    await again.locator('.state', { hasText: 'cancelled' }).waitFor();
    strictEqual(await again.getByRole('button', { name: 'Resume', exact: true }).count(), 0);
  });

  test('a save while it is debugged makes another deployment, and the debugger follows', async () => {
    await open(file('waits', 'workflow.yaml'));
    await runCommand('Weir: Debug Workflow…');
    await pick('Debug Workflow: Waits', 'Sample');
    await until('the debugger', () => debug.processes.length === 1);
    await shownPaused();
    const { runtime } = await weir();
    const [before] = debug.processes;
    const editor = await open(file('waits', 'after', 'entry.mjs'));
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), '// A new line.\n'));
    await editor.document.save();
    await until('the session of another process', () => {
      const [session, another] = debug.processes;
      return session !== undefined && session !== before && another === undefined;
    });
    await until('the new code to be deployed', async () => {
      const { debug: state } = await runtime.call('workflows.get', { id: 'waits' });
      return state?.processes.length === 1;
    });
  });

  test('a run is saved as a test', async () => {
    await fold('Waits');
    await unfold('Orders');
    await post(await endpoint(), { customer: 'Ada' });
    await menu((await row('Workflows', 'POST /')).first(), 'Save Run as Test…');
    await answer('Save Run as Test', 'greets Ada');
    const text = await until('the test', () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.path.endsWith('/tests/greets-Ada.test.yaml') === true
        ? shown.getText()
        : undefined;
    });
    match(text, /customer: Ada/);
    match(text, /greet:\n[^]*Hello Ada/);
    const { runtime } = await weir();
    const ran = await runtime.call('tests.run', {
      file: file('tests', 'greets-Ada.test.yaml'),
    });
    ok(ran.passed, JSON.stringify(ran.differences));
  });

  test('in dev mode a save is deployed by itself', async () => {
    await post(await endpoint(), { customer: 'Ada' });
    await open(file('workflow.yaml'));
    await (await lens('Dev mode')).click();
    await (await row('Workflows', 'dev mode')).waitFor();
    const greeting = file('lib', 'greeting.ts');
    const text = await readFile(greeting, 'utf8');
    const editor = await open(greeting);
    const at = editor.document.positionAt(text.indexOf('Hello'));
    await editor.edit((change) =>
      change.replace(new vscode.Range(at, at.translate(0, 5)), 'Servus'),
    );
    await editor.document.save();
    await until('the new code', async () => {
      const response = await post(await endpoint(), { customer: 'Ada' });
      return (await response.text()).includes('Servus Ada');
    });
    // Another program's write.
    await writeFile(greeting, text);
    await until('the code of before', async () => {
      const response = await post(await endpoint(), { customer: 'Ada' });
      return (await response.text()).includes('Hello Ada');
    });
    await open(file('workflow.yaml'));
    await screenshot('workflow-dev');
    await (await lens('Dev mode')).click();
    await until('no dev mode', async () =>
      (await rows('Workflows')).every((shown) => !shown.includes('dev mode')),
    );
  });

  test('switched off, and deleted with its executions', async () => {
    const { runtime } = await weir();
    await runtime.call('workflows.delete', { id: 'waits' });
    await menu(await row('Workflows', 'Orders'), 'Switch Workflow Off');
    await (await row('Workflows', 'switched off')).waitFor();
    const page = await workbench();
    await (await row('Workflows', 'switched off')).click();
    await page.keyboard.press('Delete');
    await confirm('Delete Orders?', 'Delete');
    await page.locator('.welcome-view', { hasText: 'a folder with a workflow.yaml' }).waitFor();
    strictEqual((await runtime.call('workflows.list', {})).data.length, 0);
  });

  /** The execution in front as text. */
  async function asText(): Promise<vscode.TextDocument> {
    const page = await workbench();
    const frame = page.locator('iframe.webview.ready').filter({ visible: true }).contentFrame();
    await frame.frameLocator('#active-frame').getByRole('button', { name: 'Open as Text' }).click();
    return until('the text', () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.scheme === 'weir-execution' ? shown : undefined;
    });
  }

  async function newest(): Promise<Execution> {
    const { runtime } = await weir();
    const { data } = await runtime.call('executions.list', { id: 'orders' });
    const [first] = data;
    if (first === undefined) throw new Error('There is no execution.');
    return first;
  }

  /** The newest execution of the workflow that waits. */
  async function shownPaused(): Promise<void> {
    const { runtime } = await weir();
    await until('the pause', async () => {
      const { data } = await runtime.call('executions.list', { id: 'waits' });
      return data[0]?.status === 'paused';
    });
  }

  async function inThemes(name: string): Promise<void> {
    for (const theme of themes) {
      await useTheme(theme);
      await screenshot(`${name}-${theme}`);
    }
    await useTheme(undefined);
  }
});

async function orders(): Promise<Workflow> {
  const { runtime } = await weir();
  return runtime.call('workflows.get', { id: 'orders' });
}

async function endpoint(): Promise<string> {
  const [trigger] = (await orders()).triggers;
  if (trigger?.endpoint_url === undefined) throw new Error('The workflow has no endpoint.');
  return trigger.endpoint_url;
}

/** Before the code is loaded, so it is bound when it is. */
async function breakAt(at: string, mark: string): Promise<string> {
  const line = await lineOf(at, mark);
  const location = new vscode.Location(vscode.Uri.file(at), new vscode.Position(line - 1, 0));
  vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(location)]);
  return Debugger.placeOf(at, line);
}
