import { match, ok, rejects, strictEqual } from 'node:assert';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { screenshot, workbench } from './support/ui.ts';
import { inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';

suite('the text of a workflow', () => {
  const file = (...parts: string[]): string => inWorkspace('orders', ...parts);
  suiteSetup(async () => {
    await startAfresh();
    const fixtures = path.resolve(process.env['WEIR_TEST_FIXTURES'] ?? '', '..', 'workflows');
    await cp(fixtures, inWorkspace(), { recursive: true });
    const { runtime } = await weir();
    const deployed = await runtime.call('workflows.deploy', { workflow_path: file() });
    await post(deployed.triggers[0]?.endpoint_url ?? '', { customer: 'Ada', 'odd key': 1 });
    await until('an execution', async () => {
      const { data } = await runtime.call('executions.list', { id: 'orders' });
      return data[0]?.status === 'succeeded';
    });
  });
  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await startAfresh();
  });

  /** What the language server takes from its types, not the words of the file. */
  const fieldsAt = (document: vscode.TextDocument, at: vscode.Position): Promise<string[]> =>
    until('the steps to be completed', async (seen) => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        at,
        '.',
      );
      const fields = list.items.filter(({ kind }) => kind === vscode.CompletionItemKind.Field);
      const names = fields.map(({ label }) => (typeof label === 'string' ? label : label.label));
      return seen(names).includes('trigger') ? names : undefined;
    });

  test('completes what the last execution has, names of steps in reach only', async () => {
    const { document } = await open(file('workflow.yaml'));
    const labels = async (text: string): Promise<string[]> => {
      const at = document.positionAt(document.getText().indexOf(text) + text.length);
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        at,
        '.',
      );
      return list.items.map(({ label, detail }) =>
        `${typeof label === 'string' ? label : label.label} ${detail ?? ''}`.trim(),
      );
    };
    const found = await until('the value', async () => {
      const all = await labels('{{event.body.');
      return all.some((one) => one.startsWith('customer')) ? all : undefined;
    });
    ok(found.includes('customer "Ada"'), found.join('\n'));
    ok(found.includes('odd key 1'), found.join('\n'));
    const steps = await labels('{{steps.');
    ok(
      steps.some((one) => one.startsWith('check')) &&
        steps.some((one) => one.startsWith('trigger')),
    );
    ok(!steps.some((one) => one.startsWith('answer') || one.startsWith('greet')), steps.join('\n'));
    ok((await labels('$return_value.')).includes('customer "Ada"'));
  });

  test('says on hover what a value was, and leads to the step', async () => {
    const editor = await open(file('workflow.yaml'));
    const { document } = editor;
    const at = document.positionAt(document.getText().indexOf('$return_value') + 3);
    const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      at,
    );
    const shown = hover?.contents.map((one) => (one as vscode.MarkdownString).value).join('\n');
    match(shown ?? '', /steps\.check\.\$return_value.*object[^]*"customer": "Ada"/);
    const name = document.positionAt(document.getText().indexOf('steps.check') + 7);
    const found = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      name,
    );
    const places = found.map(({ uri }) => path.relative(file(), uri.fsPath)).sort();
    strictEqual(places.join(' '), path.join('check', 'entry.ts') + ' workflow.yaml');
    editor.selection = new vscode.Selection(at, at);
    await vscode.commands.executeCommand('editor.action.showHover');
    await (
      await workbench()
    )
      .locator('.monaco-hover', { hasText: 'in the last execution' })
      .waitFor();
    await screenshot('workflow-hover');
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    const names = symbols.map(({ name: one }) => one);
    ok(
      ['check', 'greet', 'answer'].every((one) => names.includes(one)),
      names.join(' '),
    );
  });

  test('keys and values of the format are completed, explained and checked as one types', async () => {
    const place = inWorkspace('by-hand', 'workflow.yaml');
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, 'schema: workflow/2022.04\nname: By hand\n');
    const { document } = await open(place);
    const page = await workbench();
    await page.locator('.tab.active', { hasText: 'by-hand' }).waitFor();
    await page.locator('.editor-group-container.active .view-lines').first().click();
    await page.keyboard.press('Control+End');
    // What is typed goes there, and not where the focus was before.
    await until('the cursor at the end', (seen) => {
      const { activeTextEditor: editor } = vscode.window;
      return editor?.document === document && seen(editor.selection.active.line) === 2;
    });
    const choose = async (typed: string, chosen: string): Promise<void> => {
      await page.keyboard.type(typed);
      await page
        .locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: chosen })
        .waitFor();
      if (chosen === 'triggers') await screenshot('workflow-keys');
      await page.keyboard.press('Enter');
    };
    await choose('tri', 'triggers');
    await choose('us', 'uses');
    await choose('$.interface.t', '$.interface.timer');
    await page.keyboard.press('Enter');
    // VS Code goes on below the dash.
    await choose('  pr', 'props');
    await choose('cr', 'cron');
    // What may stand behind the key is offered by itself.
    await choose('', '*/15 * * * *');
    const written =
      'triggers:\n  - uses: $.interface.timer\n    props:\n      cron: "*/15 * * * *"';
    await until('the text', (seen) => seen(document.getText()).endsWith(written));
    const at = document.positionAt(document.getText().indexOf('cron') + 1);
    const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      at,
    );
    const shown = hover?.contents.map((one) => (one as vscode.MarkdownString).value).join('\n');
    match(shown ?? '', /`cron`: text[^]*Five fields/);
    await page.keyboard.press('End');
    await page.keyboard.type('\ntimezon: x');
    await until('an unknown key to be marked', (seen) =>
      seen(vscode.languages.getDiagnostics(document.uri).map(({ message }) => message)).some(
        (message) => message.includes('Did you mean "timezone"?'),
      ),
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  test('the code of a step knows the others from executions, and leads to them', async () => {
    const { document } = await open(file('greet', 'entry.ts'));
    const at = document.positionAt(document.getText().indexOf('steps.check') + 'steps.'.length);
    const labels = await fieldsAt(document, at);
    ok(labels.includes('check') && labels.includes('answer'), labels.join(' '));
    // The names are there at once, what executions had follows.
    const declared = await until('the types of executions', async (seen) => {
      const types = seen(await readFile(file('.weir-types', 'steps.d.ts'), 'utf8'));
      return /check: \{ .*\$return_value: \{ customer: string;/.test(types) && types;
    });
    ok(!declared.includes('Ada'), declared);
    strictEqual(await readFile(file('.weir-types', '.gitignore'), 'utf8'), '*\n');
    match(await readFile(file('.gitignore'), 'utf8'), /^\/tsconfig\.json$/m);
    const found = await vscode.commands.executeCommand<
      readonly (vscode.Location | vscode.LocationLink)[]
    >('vscode.executeDefinitionProvider', document.uri, at.translate(0, 2));
    const places = found.map((one) => ('uri' in one ? one.uri : one.targetUri).fsPath);
    ok(places.includes(file('workflow.yaml')), places.join(' '));
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      at.translate(0, 2),
      'looked_at',
    );
    const changed = edit.entries().map(([uri]) => path.relative(file(), uri.fsPath));
    ok(changed.includes('workflow.yaml'), changed.join(' '));
    await screenshot('step-types');
    // Plain JavaScript knows as much.
    const script = await open(file('answer', 'entry.mjs'));
    const text = script.document.getText();
    const after = (words: string): vscode.Position =>
      script.document.positionAt(text.indexOf(words) + words.length);
    const inScript = await fieldsAt(script.document, after('steps.'));
    ok(inScript.includes('check') && inScript.includes('greet'), inScript.join(' '));
    const leads = await vscode.commands.executeCommand<
      readonly (vscode.Location | vscode.LocationLink)[]
    >('vscode.executeDefinitionProvider', script.document.uri, after('steps.gr'));
    const ends = leads.map((one) => ('uri' in one ? one.uri : one.targetUri).fsPath);
    ok(ends.includes(file('workflow.yaml')), ends.join(' '));
    const renamed = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      script.document.uri,
      after('steps.gr'),
      'said_hello',
    );
    const touched = renamed.entries().map(([uri]) => path.relative(file(), uri.fsPath));
    ok(touched.includes('workflow.yaml'), touched.join(' '));
    ok(touched.includes(path.join('answer', 'entry.mjs')), touched.join(' '));
  });

  test('F2 renames a step in the file, in expressions, in code, and its folder', async () => {
    const { document } = await open(file('workflow.yaml'));
    const at = document.positionAt(document.getText().indexOf('namespace: check') + 12);
    const rename = (name: string): Thenable<vscode.WorkspaceEdit> =>
      vscode.commands.executeCommand(
        'vscode.executeDocumentRenameProvider',
        document.uri,
        at,
        name,
      );
    await rejects(async () => rename('greet'), /There is a step "greet" already/);
    await rejects(async () => rename('no name'), /letters, digits/);
    ok(await vscode.workspace.applyEdit(await rename('checked')));
    // A file without an editor gets one when it is dirty, a little later.
    await until('the files to be saved', async () => {
      await vscode.workspace.saveAll();
      return vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty);
    });
    const text = await readFile(file('workflow.yaml'), 'utf8');
    match(text, /namespace: checked\n\s+uses: \.\/checked\/entry\.ts/);
    match(text, /\{\{steps\.checked\.\$return_value\.customer\}\}/);
    match(text, /# Says hello\./);
    match(await readFile(file('greet', 'entry.ts'), 'utf8'), /steps\.checked\.\$return_value/);
    ok((await stat(file('checked', 'entry.ts'))).isFile());
    const { runtime } = await weir();
    const updated = await runtime.call('workflows.deploy', { workflow_path: file() });
    const response = await post(updated.triggers[0]?.endpoint_url ?? '', { customer: 'Ada' });
    strictEqual(await response.text(), '{"said":"Hello Ada"}');
  });
});
