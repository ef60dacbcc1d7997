/** Completion and hover of components, with the texts about their keys. Loaded at the first use. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Range } from '../problems/problem.ts';
import { completionsAt, type FileContext, type Offer } from './completions.ts';
import { typesOf } from './definition.ts';
import { hoverAt } from './hovers.ts';

export async function provideCompletionItems(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.CompletionItem[]> {
  const text = document.getText();
  const offset = document.offsetAt(position);
  return completionsAt(text, offset, await contextOf(document, text)).map((offer, at) =>
    itemFor(document, position, offer, at),
  );
}

export async function provideHover(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Hover | undefined> {
  const text = document.getText();
  const context = await contextOf(document, text);
  const hover = hoverAt(text, document.offsetAt(position), context);
  if (hover === undefined) return undefined;
  return new vscode.Hover(new vscode.MarkdownString(hover.text), rangeOf(document, hover.range));
}

async function contextOf(document: vscode.TextDocument, text: string): Promise<FileContext> {
  const language = document.languageId === 'typescript' ? 'typescript' : 'javascript';
  const types = typesOf(text);
  // Weir writes its own types wherever they are imported; the platform's have to be installed.
  const isTyped =
    types === 'weir/component' ||
    (types !== undefined && (await isInstalled(types, path.dirname(document.uri.fsPath))));
  return { language, isTyped };
}

/** Whether a package is in `node_modules` of a folder or one above it. */
async function isInstalled(name: string, folder: string): Promise<boolean> {
  const place = path.join(folder, 'node_modules', name, 'package.json');
  const isThere = await access(place).then(
    () => true,
    () => false,
  );
  const above = path.dirname(folder);
  return isThere || (above !== folder && isInstalled(name, above));
}

const kinds: Readonly<Record<Offer['kind'], vscode.CompletionItemKind>> = {
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.EnumMember,
  'member of this': vscode.CompletionItemKind.Field,
};

function itemFor(
  document: vscode.TextDocument,
  position: vscode.Position,
  { label, kind, detail, doc, snippet, range, isChosenNext }: Offer,
  at: number,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem({ label, description: detail }, kinds[kind]);
  item.documentation = new vscode.MarkdownString(doc);
  item.insertText = new vscode.SnippetString(snippet);
  const replacing = rangeOf(document, range);
  item.range = { inserting: new vscode.Range(replacing.start, position), replacing };
  // Before what other extensions offer at the place, and in our order.
  item.sortText = `!${String(at).padStart(3, '0')}`;
  if (isChosenNext) {
    item.command = { command: 'editor.action.triggerSuggest', title: 'Choose a value' };
  }
  return item;
}

function rangeOf(document: vscode.TextDocument, { start, end }: Range): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
