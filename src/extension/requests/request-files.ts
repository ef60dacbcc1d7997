import path from 'node:path';
import type * as vscode from 'vscode';

/** Language of requests and answers; other REST clients call it the same. */
export const httpLanguage = 'http';

/** Files with requests, whichever extension defined their language. */
export const requestFiles: vscode.DocumentFilter = { scheme: 'file', pattern: '**/*.{http,rest}' };

/** Beside a component, by its name: `hello.ts` has `hello.http`. */
export function requestsFileOf(component: string): string {
  const { dir, name } = path.parse(component);
  return path.join(dir, `${name}.http`);
}
