/** Commands about the file that a source was deployed from. */
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { Command } from './context.ts';
import { pickSource } from './pick-target.ts';

export const openCode: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Open Code', ({ path }) => path !== null);
  if (target === undefined) return;
  const { folder, source } = target;
  if (source.path === null) {
    throw new WeirError('not_found', `${source.name} was deployed from a text, not from a file.`);
  }
  if (context.sourceFiles.isMissing(folder, source)) {
    const locate = 'Locate File…';
    const chosen = await vscode.window.showWarningMessage(
      `${source.path} is gone. ${source.name} runs as it was deployed.`,
      locate,
    );
    if (chosen === locate) await locateFile(context, { kind: 'source', folder, source });
    return;
  }
  await vscode.window.showTextDocument(vscode.Uri.file(source.path), { preview: true });
};

/** Finds the file again that a source was deployed from, after it was moved outside the editor. */
export const locateFile: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Locate File', ({ path }) => path !== null);
  if (target === undefined) return;
  const { locateFile: locate } = await import('../component-files/move-source.ts');
  await locate(context, target);
};
