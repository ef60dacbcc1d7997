import * as vscode from 'vscode';
import type { Folders } from '../connection/folders.ts';
import { ownRequests } from './endpoint-addresses.ts';
import { parseHttpFile, requestAt } from './http-file.ts';
import { requestFiles } from './request-files.ts';
import { knownEndpoints } from './request-lenses.ts';

/** A completion in a `.http` file. */
export interface Completion {
  readonly text: string;
  readonly kind: 'method' | 'header' | 'value' | 'variable';
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=part',
  'text/plain',
  'application/xml',
];
/** With what Weir reads of a request (P7.16 to P7.19). */
const headers = [
  'accept',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'user-agent',
  'x-forwarded-for',
  'x-pd-nostore',
  'x-pd-notrigger',
  'x-pd-upload-body',
];
const made = ['$uuid', '$timestamp', '$isoTimestamp', '$randomInt 0 100'];

/**
 * The completions at the cursor.
 * @param line 0-based
 * @param before the text of the line up to the cursor
 */
export function completionsAt(text: string, line: number, before: string): Completion[] {
  const file = parseHttpFile(text);
  const of = (kind: Completion['kind'], texts: readonly string[]): Completion[] =>
    texts.map((one) => ({ text: one, kind }));
  if (/\{\{[^{}]*$/.test(before)) {
    return of('variable', [...new Set(file.variables.map(({ name }) => name)), ...made]);
  }
  const request = requestAt(file, line);
  const isHead = file.lines[line] === 'header' || file.lines[line] === 'request';
  if (request !== undefined && line > request.line) {
    if (!isHead) return [];
    if (/^content-type:\s*\S*$/i.test(before)) return of('value', types);
    return /^[\w-]*$/.test(before) ? of('header', headers) : [];
  }
  return /^[A-Za-z]*$/.test(before) ? of('method', methods) : [];
}

const kinds = {
  method: vscode.CompletionItemKind.Keyword,
  header: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
  variable: vscode.CompletionItemKind.Variable,
};

/** Methods, headers and variables, in files that address an endpoint of ours. */
export function completeRequests(folders: Folders): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(
    requestFiles,
    {
      provideCompletionItems(document, { line, character }) {
        const text = document.getText();
        const file = parseHttpFile(text);
        if (ownRequests(file, knownEndpoints(folders)).length === 0) return [];
        const before = document.lineAt(line).text.slice(0, character);
        return completionsAt(text, line, before).map((one) => {
          const item = new vscode.CompletionItem(one.text, kinds[one.kind]);
          if (one.kind === 'header') item.insertText = `${one.text}: `;
          if (one.kind === 'method') item.insertText = `${one.text} `;
          return item;
        });
      },
    },
    '{',
    ':',
    ' ',
  );
}
