import * as vscode from 'vscode';
import { findable } from '../webview-page.ts';
import type { BuilderContext } from './builder-parts.ts';

export const builderViewType = 'weir.workflowBuilder';

/**
 * Registers the builder for `workflow.yaml`. It is a bundle of its own, with the YAML that it needs, and is loaded
 * when the first one opens.
 */
export function registerBuilder(context: BuilderContext): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider(
    builderViewType,
    {
      async resolveCustomTextEditor(document, panel) {
        const { openBuilder } = await import('./session.ts');
        openBuilder(context, document, panel);
      },
    },
    { webviewOptions: findable },
  );
}

/** Shows a `workflow.yaml` in the builder, or as text. */
export function openWith(file: vscode.Uri, builder: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand(
    'vscode.openWith',
    file,
    builder ? builderViewType : 'default',
  );
}
