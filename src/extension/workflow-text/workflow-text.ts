import * as vscode from 'vscode';
import { workflowFileName } from '../workflows/workflow-files.ts';
import type { Clock } from '../clock.ts';
import { followStepTypes } from './follow-step-types.ts';
import type { Providers } from './providers.ts';
import type { RunDataParts } from './run-data.ts';

/**
 * Completion, hover, definition, outline and rename in `workflow.yaml`, and of steps in the code of others. YAML is loaded when the first of them is
 * asked for.
 */
export function knowWorkflowText(parts: RunDataParts, clock: Clock): vscode.Disposable {
  let loaded: Promise<Providers> | undefined;
  const load = (): Promise<Providers> =>
    (loaded ??= import('./providers.ts').then(({ createProviders }) =>
      createProviders(parts, clock),
    ));
  const code = { scheme: 'file', pattern: '**/entry.{js,mjs,cjs,ts,mts,cts}' };
  const selector = { scheme: 'file', pattern: `**/${workflowFileName}` };
  return vscode.Disposable.from(
    followStepTypes(parts, clock, async (file) => (await load()).writeTypes(file)),
    vscode.languages.registerDefinitionProvider(code, {
      provideDefinition: async (document, position) =>
        (await load()).definitionInCode(document, position),
    }),
    vscode.languages.registerRenameProvider(code, {
      prepareRename: async (document, position) =>
        (await load()).prepareRenameInCode(document, position),
      provideRenameEdits: async (document, position, name) =>
        (await load()).renameInCode(document, position, name),
    }),
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position) =>
          (await load()).completions(document, position),
      },
      // VS Code asks by itself only where the language has words; in YAML everything is text.
      ...Array.from('.{ abcdefghijklmnopqrstuvwxyz$_@#-/'),
    ),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position, token) =>
        (await load()).hover(document, position, token),
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
