import * as vscode from 'vscode';
import { mayBeComponent } from '../component-files/find-component.ts';

const selector: vscode.DocumentSelector = ['javascript', 'typescript'].map((language) => ({
  scheme: 'file',
  language,
}));

/** Characters that open the list: quotes, and the dot of `this.` and of `$.interface.http`. */
const triggers = ['"', "'", '.', '$'];

const load = () => import('./authoring-providers.ts');

/** Completion and hover for the keys of components and their values. */
export function provideAuthoringHelp(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position) =>
          isCandidate(document) ? (await load()).provideCompletionItems(document, position) : [],
      },
      ...triggers,
    ),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position) =>
        isCandidate(document) ? (await load()).provideHover(document, position) : undefined,
    }),
  );
}

/** By its name alone; the text decides about the rest. */
function isCandidate({ uri }: vscode.TextDocument): boolean {
  const isOther = /\/node_modules\/|\.config\.[cm]?[jt]s$|\.d\.[cm]?ts$/.test(uri.path);
  return uri.scheme === 'file' && mayBeComponent(uri.path) && !isOther;
}
