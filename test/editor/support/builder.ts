import type { FrameLocator } from 'playwright-core';
import * as vscode from 'vscode';
import { until } from '../../support/until.ts';
import { workbench } from './ui.ts';

/** The builder that is open, and the text of the workflow behind it, saved or not. */
export function builderOf(file: string) {
  const text = (): string =>
    vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file)?.getText() ?? '';
  const frame = async (): Promise<FrameLocator> =>
    (await workbench()).frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  const press = async (name: string | RegExp): Promise<void> =>
    (await frame()).getByRole('button', { name }).first().click();
  return {
    text,
    frame,
    press,
    says: (words: RegExp): Promise<boolean> =>
      until(`a text with ${String(words)}`, (seen) => words.test(seen(text()))),
    /** @param where title of the place between cards @param what is searched for, and the first that is found taken */
    async add(where: string, what: string): Promise<void> {
      await press(where);
      const search = (await frame()).getByLabel('Search steps');
      await search.fill(what);
      await search.press('Enter');
    },
  };
}
