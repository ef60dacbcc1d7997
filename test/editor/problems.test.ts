import { deepStrictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { screenshot } from './support/ui.ts';
import { edit, hello, inWorkspace, open, startAfresh } from './support/weir.ts';

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
    await openAs(file, typed);
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
    await openAs(file, plain);
    await until('both imports', (seen) => {
      return JSON.stringify(seen(linesOf(file, () => true))) === '[1,3]';
    });
  });
});

/** Shows a file that becomes this text: as when another program writes it, which Weir takes for a save. */
async function openAs(file: string, text: string): Promise<void> {
  await writeFile(file, '');
  await open(file);
  await edit(file, () => text);
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
