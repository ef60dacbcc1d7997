/** Keys and values of `workflow.yaml`: completed, and explained on hover. */
import * as vscode from 'vscode';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import { placeInText, type TextPlace } from '../../workflow-file/place-in-text.ts';
import { keyAt, keysAt, type Suggestion, valuesAt } from './format.ts';
import type { RegistryAnswers } from './registry-answers.ts';
import { aboutComponent, componentsFor } from './uses-components.ts';
import { isUsesOfStep, valuesOfWorkspace } from './workspace-values.ts';

/** The extension that does the same by the schema of the format, which Weir gives it. */
const yamlExtension = 'redhat.vscode-yaml';

/** Whether that extension answers, so that nothing is shown twice. */
function isSaidAlready(): boolean {
  return vscode.extensions.getExtension(yamlExtension)?.isActive === true;
}

export interface FormatParts {
  readonly folders: Folders;
  readonly answers: RegistryAnswers;
  readonly clock: Clock;
}

export async function formatCompletions(
  { folders, answers }: FormatParts,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.CompletionList> {
  const place = placeOf(document, position);
  if (place === undefined) return new vscode.CompletionList();
  const range = rangeOf(document, place);
  const { version } = document;
  const ofFormat = isSaidAlready()
    ? []
    : place.kind === 'key'
      ? keysAt(place.root, place.path)
      : valuesAt(place.root, place.path);
  const ofWorkspace =
    place.kind === 'value' ? await valuesOfWorkspace(folders, document.uri.fsPath, place) : [];
  // Each letter asks the registries for something else.
  const isSearched = place.kind === 'value' && isUsesOfStep(place);
  const ofRegistries = isSearched
    ? await componentsFor(
        folders.of(document.uri.fsPath),
        answers,
        document.getText(new vscode.Range(range.start, position)).replace(/^["']/, ''),
        () => suggestAgainAt(document, position, version),
      )
    : [];
  const known = new Set(ofWorkspace.map(({ name }) => name));
  const added = ofRegistries.filter(({ name }) => !known.has(name));
  const items = [...ofFormat, ...ofWorkspace, ...added].map((one, index) => {
    const kind =
      place.kind === 'key' ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.Value;
    const item = new vscode.CompletionItem({ label: one.name, description: one.about ?? '' }, kind);
    item.sortText = `${one.isRequired === true ? 0 : 1}${String(index).padStart(5, '0')}`;
    if (one.description !== undefined) {
      item.documentation = new vscode.MarkdownString(one.description);
    }
    item.range = range;
    item.filterText = one.name;
    if (place.kind === 'value') item.insertText = asScalar(one.name);
    else if (!place.isWhole) {
      item.insertText = new vscode.SnippetString(keyText(one));
      // The values that may follow are offered next.
      if (one.opens === 'value') item.command = suggestAgain;
    }
    return item;
  });
  return new vscode.CompletionList(items, isSearched);
}

/** Only if the user has not typed or moved on meanwhile. */
function suggestAgainAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  version: number,
): void {
  const { activeTextEditor: editor } = vscode.window;
  if (editor?.document !== document || document.version !== version) return;
  if (!editor.selection.isEmpty || !editor.selection.active.isEqual(position)) return;
  void vscode.commands.executeCommand(suggestAgain.command);
}

const suggestAgain: vscode.Command = {
  command: 'editor.action.triggerSuggest',
  title: 'Suggest',
};

/** In a snippet `$` begins a placeholder. Lines that follow are indented as the first one is. */
function keyText({ name, opens }: Suggestion): string {
  const written = name.replaceAll('$', String.raw`\$`);
  if (opens === 'list') return `${written}:\n  - $0`;
  return opens === 'mapping' ? `${written}:\n  $0` : `${written}: $0`;
}

/** A value as YAML takes it for the text that it is. */
function asScalar(value: string): string {
  // "@" begins nothing in YAML, and is one letter among others behind the first.
  const isPlain = /^[\w$./][\w$./@-]*$/.test(value) || /^[\w]+\/[\w./+-]+$/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** How long a hover waits for registries, in ms. */
const hoverMs = 10_000;

export async function formatHover(
  { folders, clock }: FormatParts,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const place = placeOf(document, position);
  if (place?.kind === 'value' && isUsesOfStep(place)) {
    const abort = new AbortController();
    const gone = token.onCancellationRequested(() => abort.abort());
    const cancel = clock.after(hoverMs, () => abort.abort());
    const folder = folders.of(document.uri.fsPath);
    const about = await aboutComponent(folder, place.word, clock.now(), abort.signal);
    gone.dispose();
    cancel();
    if (about === undefined) return undefined;
    return new vscode.Hover(new vscode.MarkdownString(about), rangeOf(document, place));
  }
  if (isSaidAlready()) return undefined;
  if (place?.kind !== 'key' || !place.isWhole) return undefined;
  const key = keyAt(place.root, [...place.path, place.word]);
  if (key === undefined) return undefined;
  const text = new vscode.MarkdownString(`\`${key.name}\``);
  if (key.about !== undefined)
    text.appendMarkdown(`: ${key.about.replaceAll('|', String.raw`\|`)}`);
  if (key.isRequired === true) text.appendMarkdown(', required');
  if (key.description !== undefined) text.appendMarkdown(`\n\n${key.description}`);
  return new vscode.Hover(text, rangeOf(document, place));
}

function placeOf(document: vscode.TextDocument, position: vscode.Position): TextPlace | undefined {
  return placeInText(document.getText(), document.offsetAt(position));
}

function rangeOf(document: vscode.TextDocument, { start, end }: TextPlace): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
