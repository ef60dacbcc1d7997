import { deepStrictEqual, ok } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { screenshot } from './support/ui.ts';
import { hello, inWorkspace, startAfresh } from './support/weir.ts';

suite('problems beside those of TypeScript', () => {
  suiteSetup(async () => {
    await startAfresh();
    // A check asks the runtime, and starts none.
    await hello();
  });
  teardown(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const typed = `import { defineSource } from 'weir/component';
import { far } from './far-away';
// @ts-ignore: nobody but Weir looks for it
import { further } from './further-away';

export default defineSource({
  name: 'Typed',
  key: 'typed',
  version: '0.0.1',
  props: { http: '$.interface.http' },
  run(event) {
    const count: number = 'three';
    this.$emit({ count, far, further, body: event.body }, { id: 1, summary: 'x', ts: 1 });
  },
});
`;

  test('what both find is listed once, what only one finds as well', async () => {
    const file = inWorkspace('typed.ts');
    await openAndSave(file, typed);
    const of = (isOurs: boolean): number[] =>
      linesOf(file, (source) => (source === 'Weir') === isOurs);
    await until('TypeScript', (seen) => seen(of(false)).includes(1) && of(false).includes(11));
    // Weir finds both imports at once.
    await until('Weir', (seen) => seen(of(true)).includes(3));
    await vscode.commands.executeCommand('workbench.actions.view.problems');
    await screenshot('problems-typescript');
    deepStrictEqual(of(true), [3]);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  test('in JavaScript, where TypeScript looks for no file, Weir says what is not found', async () => {
    const file = inWorkspace('plain.mjs');
    const plain = typed.replace(": number = 'three'", ' = 3').replace('// @ts-ignore', '//');
    await openAndSave(file, plain);
    await until('both imports', (seen) => {
      return JSON.stringify(seen(linesOf(file, () => true))) === '[1,3]';
    });
  });
});

async function openAndSave(file: string, text: string): Promise<void> {
  await writeFile(file, '');
  const document = await vscode.workspace.openTextDocument(file);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  await editor.edit((change) => {
    const end = document.lineAt(document.lineCount - 1).range.end;
    change.replace(new vscode.Range(new vscode.Position(0, 0), end), text);
  });
  ok(await document.save());
  deepStrictEqual(await readFile(file, 'utf8'), text);
}

/** Lines of the errors of a file that these have found. */
function linesOf(file: string, isWanted: (source: string | undefined) => boolean): number[] {
  return vscode.languages
    .getDiagnostics(vscode.Uri.file(file))
    .filter(({ source, severity }) => {
      return severity === vscode.DiagnosticSeverity.Error && isWanted(source);
    })
    .map(({ range }) => range.start.line)
    .toSorted((a, b) => a - b);
}
