import { deepStrictEqual } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { inWorkspace } from './support/weir.ts';

suite('types for authors', () => {
  test('the first component of the README has no error, without an install', async () => {
    const root = vscode.extensions.getExtension('weir.weir')?.extensionPath ?? '';
    const readme = await readFile(`${root}/README.md`, 'utf8');
    const [, hello = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
    const file = inWorkspace('typed-hello.ts');
    await writeFile(file, hello);
    const uri = vscode.Uri.file(file);
    await vscode.window.showTextDocument(uri);
    // The language server is asked for what it knows of `event`: it has read the types then.
    const position = new vscode.Position(
      hello.slice(0, hello.indexOf('run(event')).split('\n').length - 1,
      6,
    );
    await until('event to be typed', async (seen) => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        position,
      );
      const text = hovers.flatMap(({ contents }) =>
        contents.map((one) => (one as { value: string }).value),
      );
      return seen(text.join('\n')).includes('HttpEvent');
    });
    const errors = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'ts');
    deepStrictEqual(
      errors.map(({ message }) => message),
      [],
    );
  });
});
