/** The editor's help for expressions and steps in `workflow.yaml`. Loaded at its first use. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '../clock.ts';
import { chainAt } from './expression-at.ts';
import { type FormatParts, formatCompletions, formatHover } from './format-providers.ts';
import { namesBelow, newestValue, typeOf } from './known-values.ts';
import { renameStep, stepToRename } from './rename-step.ts';
import { RegistryAnswers } from './registry-answers.ts';
import { runDataAt, runsOf, type RunDataParts } from './run-data.ts';
import { readToRename, renameRead, stepReadAt } from './steps-in-code.ts';
import { modelOf } from './workflow-model.ts';
import { writeStepTypes } from './write-step-types.ts';

type Parts = RunDataParts & FormatParts;

export function createProviders(given: RunDataParts, clock: Clock) {
  const parts: Parts = { ...given, clock, answers: new RegistryAnswers(clock) };
  return {
    completions: (document: vscode.TextDocument, position: vscode.Position) =>
      completionsAt(parts, document, position),
    hover: (
      document: vscode.TextDocument,
      position: vscode.Position,
      token: vscode.CancellationToken,
    ) => hoverAt(parts, document, position, token),
    definition: definitionAt,
    symbols: symbolsOf,
    prepareRename: stepToRename,
    rename: renameStep,
    definitionInCode,
    prepareRenameInCode: readToRename,
    renameInCode: renameRead,
    writeTypes: (file: string) => writeTypes(parts, file),
  };
}

export type Providers = ReturnType<typeof createProviders>;

async function completionsAt(
  parts: Parts,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.CompletionItem[] | vscode.CompletionList> {
  const chain = chainAt(document.getText(), document.offsetAt(position));
  if (chain === undefined) return formatCompletions(parts, document, position);
  const runs = await runDataAt(parts, document, position.line);
  const range = new vscode.Range(document.positionAt(chain.start), document.positionAt(chain.end));
  return namesBelow(runs, chain.names).map(({ name, type, value }, index) => {
    const item = new vscode.CompletionItem(
      { label: name, description: type },
      type === 'object' ? vscode.CompletionItemKind.Module : vscode.CompletionItemKind.Field,
    );
    const isVariable = chain.names.join('.') === 'process.env';
    item.detail = isVariable ? `set by ${value.slice(1, -1)}` : value;
    item.sortText = String(index).padStart(5, '0');
    item.range = range;
    if (!/^[A-Za-z_$][\w$]*$/.test(name) && chain.dot !== undefined) {
      item.insertText = `[${JSON.stringify(name).replaceAll('"', "'")}]`;
      item.filterText = name;
      const dot = new vscode.Range(document.positionAt(chain.dot), range.start);
      item.additionalTextEdits = [vscode.TextEdit.delete(dot)];
    }
    return item;
  });
}

const hoverLength = 2000;

async function hoverAt(
  parts: Parts,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const chain = chainAt(document.getText(), document.offsetAt(position));
  if (chain === undefined) return formatHover(parts, document, position, token);
  if (chain.word === '') return undefined;
  const names = [...chain.names, chain.word];
  if (names[0] === 'process' || names.length < 2) return undefined;
  const value = newestValue(await runDataAt(parts, document, position.line), names);
  if (value === undefined) return undefined;
  const json = JSON.stringify(value, null, 2);
  const shown = json.length > hoverLength ? `${json.slice(0, hoverLength)}\n…` : json;
  const text = new vscode.MarkdownString();
  text.appendMarkdown(`\`${names.join('.')}\`, ${typeOf(value)}, in the last execution:`);
  text.appendCodeblock(shown, 'json');
  const range = new vscode.Range(document.positionAt(chain.start), document.positionAt(chain.end));
  return new vscode.Hover(text, range);
}

/** For a step that is read: its place, and its code. For `uses`: the file. */
function definitionAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.Location[] | undefined {
  const folder = path.dirname(document.uri.fsPath);
  const uses = /^\s*(?:-\s+)?uses:\s*["']?(\.{1,2}\/[^\s"'#,}]+)/.exec(
    document.lineAt(position).text,
  )?.[1];
  if (uses !== undefined) return [atStart(path.resolve(folder, uses))];
  const chain = chainAt(document.getText(), document.offsetAt(position));
  if (chain === undefined) return undefined;
  const [first, second] = [...chain.names, chain.word];
  return first === 'steps' ? placesOf(document, second ?? '') : undefined;
}

/** The place of the step that code reads. */
async function definitionInCode(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Location[] | undefined> {
  const read = stepReadAt(document, position);
  if (read === undefined) return undefined;
  return placesOf(await vscode.workspace.openTextDocument(read.file), read.name);
}

function placesOf(document: vscode.TextDocument, name: string): vscode.Location[] | undefined {
  const folder = path.dirname(document.uri.fsPath);
  const model = modelOf(document);
  const place = model?.steps.find(({ namespace }) => namespace === name);
  if (model === undefined || place === undefined) return undefined;
  const inFile = new vscode.Location(document.uri, model.rangeOf([...place.path, 'namespace']));
  const code = place.step['uses'];
  if (typeof code !== 'string' || !code.startsWith('.')) return [inFile];
  return [inFile, atStart(path.resolve(folder, code))];
}

/** Writes types of the steps' results, as executions have shown them, for the code of the workflow. */
async function writeTypes(parts: RunDataParts, file: string): Promise<void> {
  const folder = parts.folders.of(file);
  if (folder.root === undefined) return;
  await writeStepTypes(path.dirname(file), folder.root, await runsOf(parts, file));
}

function atStart(file: string): vscode.Location {
  return new vscode.Location(vscode.Uri.file(file), new vscode.Position(0, 0));
}

/** Steps as they are nested: the outline, and the bread crumbs. */
function symbolsOf(document: vscode.TextDocument): vscode.DocumentSymbol[] {
  const model = modelOf(document);
  if (model === undefined) return [];
  const top: vscode.DocumentSymbol[] = [];
  const open: { readonly path: string; readonly symbol: vscode.DocumentSymbol }[] = [];
  for (const { path: at, namespace, step } of model.steps) {
    if (namespace === '') continue;
    const key = `${at.join('.')}.`;
    while (open.length > 0 && !key.startsWith(open.at(-1)?.path ?? '')) open.pop();
    const control = step['control'];
    const detail = typeof control === 'string' ? control : step['uses'];
    const symbol = new vscode.DocumentSymbol(
      namespace,
      typeof detail === 'string' ? detail : '',
      control === undefined ? vscode.SymbolKind.Function : vscode.SymbolKind.Namespace,
      model.rangeOf(at),
      model.rangeOf([...at, 'namespace']),
    );
    (open.at(-1)?.symbol.children ?? top).push(symbol);
    open.push({ path: key, symbol });
  }
  return top;
}
