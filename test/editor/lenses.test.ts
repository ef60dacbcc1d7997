import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { row } from './support/rows.ts';
import {
  answer,
  lens,
  lenses,
  notification,
  pick,
  runCommand,
  screenshot,
  workbench,
} from './support/ui.ts';
import {
  edit,
  hello,
  helloFile,
  inWorkspace,
  open,
  post,
  startAfresh,
  weir,
} from './support/weir.ts';

suite('lenses and problems', () => {
  suiteSetup(async () => {
    await startAfresh();
    await hello();
  });

  test('Update stands there only while the code differs', async () => {
    await open(helloFile());
    await shows(
      'Run | Debug | Dev mode | Compose Request | Copy as cURL | deployed just now · 0 events',
    );
    await edit(helloFile(), (text) => text.replace('greeting: this.greeting', 'greeting: "Moin"'));
    await saved();
    await shows(/^Update \| Run \| Debug/);
    await screenshot('lens-update');
    await (await lens('Update')).click();
    await shows(/^Run \| Debug \| Dev mode/);
    await edit(helloFile(), (text) => `${text}\n// The bundle is the same.\n`);
    await saved();
    strictEqual((await lenses()).includes('Update'), false);
  });

  test('Dev mode updates with each save, and marks what does not compile', async () => {
    const { endpoint_url: endpoint } = await hello();
    await open(helloFile());
    await devMode('attached');
    await (await row('Sources', 'dev mode')).waitFor();
    await edit(helloFile(), (text) => text.replace('"Moin"', '"Servus"'));
    await answers(endpoint, 'Servus');
    await edit(helloFile(), (text) => text.replace('"Servus"', '"Servus'));
    const [problem] = await until('the mark', () => problems());
    match(problem?.message ?? '', /Unterminated string/);
    await answers(endpoint, 'Servus');
    await (await lens('the code before this save serves')).waitFor();
    await (await row('Sources', 'dev mode: broken save')).waitFor();
    await screenshot('dev-mode-error');
    await edit(helloFile(), (text) => text.replace('"Servus', '"Grüezi"'));
    await answers(endpoint, 'Grüezi');
    await until('the mark to go', () => problems() === undefined);
    await devMode('detached');
    await edit(helloFile(), (text) => text.replace('"Grüezi"', '"Hej"'));
    await saved();
    await shows(/^Update \| Run/);
    await answers(endpoint, 'Grüezi');
  });

  test('what the text shows to be wrong is marked while it is typed, and mended', async () => {
    const file = inWorkspace('components', 'regrets.mjs');
    await writeFile(
      file,
      'export default {\n  type: "source",\n  dedupe: "uniqe",\n  run() {\n    this.$emit(1);\n  },\n};\n',
    );
    const editor = await open(file);
    const uri = editor.document.uri;
    const codes = (): string[] =>
      vscode.languages
        .getDiagnostics(uri)
        .flatMap(({ source, code }) =>
          source === 'Weir' && typeof code === 'string' ? [code] : [],
        );
    await until('the problems', () => codes().join() === 'no-name,unknown-dedupe');
    await screenshot('problems');
    const dedupe = vscode.languages
      .getDiagnostics(uri)
      .find(({ code }) => code === 'unknown-dedupe');
    ok(dedupe);
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      dedupe.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const titles = fixes.map(({ title }) => title).filter((title) => title.startsWith('Use '));
    deepStrictEqual(titles, ['Use "unique"', 'Use "greatest"', 'Use "last"']);
    editor.selection = new vscode.Selection(dedupe.range.start, dedupe.range.start);
    await vscode.commands.executeCommand('editor.action.quickFix');
    const page = await workbench();
    await page.locator('.action-widget', { hasText: 'Use "unique"' }).waitFor();
    await page.keyboard.press('Enter');
    await until('the fix', () => editor.document.getText().includes('dedupe: "unique"'));
    await until('what it now regrets', () => codes().join() === 'no-name,emit-without-id');
    await editor.document.save();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('an error that the runtime finds as well is listed once', async () => {
    const file = inWorkspace('components', 'twice.mjs');
    await writeFile(
      file,
      'export default {\n  name: "Twice",\n  type: "source",\n  dedupe: "uniqe",\n  run() {},\n};\n',
    );
    const editor = await open(file);
    await (await lens('Deploy')).click();
    await notification('is none of unique');
    const listed = vscode.languages
      .getDiagnostics(editor.document.uri)
      .filter(({ message }) => message.includes('is none of'))
      .map(({ message, range }) => `${range.start.line + 1}: ${message}`);
    deepStrictEqual(listed, ['4: dedupe: "uniqe" is none of unique, greatest, last.']);
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('Run… above an action runs it and shows what it exports and prints', async () => {
    await runCommand('Weir: New Component…');
    await pick('New Component: what is it?', 'Action');
    await answer('New Component: its name', 'Say hello');
    await pick('New Component: where does say-hello.mjs go?', 'components');
    await shows('Run… | Debug');
    await (await lens('Run…')).click();
    const page = await workbench();
    const run = await until('the form', async () => {
      for (const frame of page.frames()) {
        const button = frame.locator('#submit');
        if ((await button.count()) > 0) return button;
      }
      return undefined;
    });
    await run.click();
    const result = await until('the result', () =>
      vscode.window.visibleTextEditors.find(
        ({ document }) => document.uri.scheme === 'weir-result',
      ),
    );
    const shown = JSON.parse(result.document.getText()) as Record<string, unknown>;
    strictEqual(shown['summary'], 'Hello, world!');
    deepStrictEqual(shown['return_value'], { greeting: 'Hello, world!' });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('a lens is quiet about an event until it is there', async () => {
    await open(helloFile());
    const { endpoint_url: endpoint, id } = await hello();
    const before = (await (await weir()).runtime.call('events.list', { id })).page_info.total_count;
    await post(endpoint, { id: 71, customer: 'Ada' });
    await shows(new RegExp(`· ${before + 1} events?$`));
    await (await row('Events', 'Order 71 from Ada')).waitFor();
  });
});

async function shows(wanted: string | RegExp): Promise<void> {
  let last = '';
  try {
    await until('the lenses', async () => {
      last = (await lenses()).map((text) => text.trim()).join(' | ');
      return typeof wanted === 'string' ? last === wanted : wanted.test(last);
    });
  } catch (error) {
    throw new Error(`The lenses are "${last}", not ${String(wanted)}.`, { cause: error });
  }
}

/** A lens that is drawn anew in the middle of a click does not take it: one clicks again. */
async function devMode(wanted: 'attached' | 'detached'): Promise<void> {
  const icon = (await lens('Dev mode')).locator('.codicon-sync');
  await until('dev mode', async () => {
    await (await lens('Dev mode')).click();
    return icon.waitFor({ state: wanted, timeout: 5000 }).then(
      () => true,
      () => false,
    );
  });
}

async function answers(endpoint: string, greeting: string): Promise<void> {
  await until(`the greeting ${greeting}`, async () => {
    const response = await post(endpoint, { id: 1, customer: 'x' });
    return ((await response.json()) as { greeting: string }).greeting === greeting;
  });
}

/** The errors in the file, whoever has found them. */
function problems(): vscode.Diagnostic[] | undefined {
  const found = vscode.languages
    .getDiagnostics(vscode.Uri.file(helloFile()))
    .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
  return found.length > 0 ? found : undefined;
}

/** Saves the file as a person does: what is on disk already is told to who listens for saves. */
async function saved(): Promise<void> {
  const document = await vscode.workspace.openTextDocument(helloFile());
  const editor = await vscode.window.showTextDocument(document);
  await editor.edit((change) => change.insert(new vscode.Position(0, 0), ' '));
  await editor.edit((change) => change.delete(new vscode.Range(0, 0, 0, 1)));
  await document.save();
  strictEqual(await readFile(helloFile(), 'utf8'), document.getText());
}
