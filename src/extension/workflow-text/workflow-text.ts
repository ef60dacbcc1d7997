import * as vscode from 'vscode';
import { workflowFileName } from '../workflows/workflow-files.ts';
import type { Providers } from './providers.ts';
import type { RunDataParts } from './run-data.ts';

/**
 * Completion, hover, definition, outline and rename in `workflow.yaml`. YAML is loaded when the first of them is
 * asked for.
 */
export function knowWorkflowText(parts: RunDataParts): vscode.Disposable {
  let loaded: Promise<Providers> | undefined;
  const load = (): Promise<Providers> =>
    (loaded ??= import('./providers.ts').then(({ createProviders }) => createProviders(parts)));
  const selector = { scheme: 'file', pattern: `**/${workflowFileName}` };
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position) =>
          (await load()).completions(document, position),
      },
      '.',
      '{',
    ),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position) => (await load()).hover(document, position),
    }),
    vscode.languages.registerDefinitionProvider(selector, {
      provideDefinition: async (document, position) =>
        (await load()).definition(document, position),
    }),
    vscode.languages.registerDocumentSymbolProvider(
      selector,
      { provideDocumentSymbols: async (document) => (await load()).symbols(document) },
      { label: 'Weir' },
    ),
    vscode.languages.registerRenameProvider(selector, {
      prepareRename: async (document, position) => (await load()).prepareRename(document, position),
      provideRenameEdits: async (document, position, name) =>
        (await load()).rename(document, position, name),
    }),
  );
}
