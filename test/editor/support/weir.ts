import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';
import type { WeirApi } from '../../../src/extension/api.ts';
import type { Source } from '../../../src/protocol/catalogue.ts';
import type { RuntimeFile } from '../../../src/protocol/rpc.ts';
import { until } from '../../support/until.ts';
import { workbench } from './ui.ts';

export { post } from '../../support/post.ts';

/** The extension under test, and the folder its window shows. */
export async function weir(): Promise<WeirApi> {
  const extension = vscode.extensions.getExtension<WeirApi>('weir.weir');
  if (extension === undefined) throw new Error('The extension is not installed.');
  return extension.activate();
}

export function inWorkspace(...parts: string[]): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('The window shows no folder.');
  return path.join(folder.uri.fsPath, ...parts);
}

export const helloFile = (): string => inWorkspace('components', 'hello-webhook.mjs');

/** The source of the hello component, deployed when it is not. */
export async function hello(): Promise<Source & { endpoint_url: string }> {
  const { runtime } = await weir();
  const { data } = await runtime.call('sources.list', { limit: 100 });
  const source =
    data.find((one) => one.path === helloFile()) ??
    (await runtime.call('sources.deploy', {
      component_path: helloFile(),
      configured_props: { greeting: 'hello' },
    }));
  if (source.endpoint_url === null) throw new Error('The source has no endpoint.');
  return { ...source, endpoint_url: source.endpoint_url };
}

/** Nothing deployed, nothing open, the files as they were: every suite starts like this. */
export async function startAfresh(): Promise<void> {
  const { runtime } = await weir();
  await vscode.commands.executeCommand('notifications.clearAll');
  // Otherwise VS Code asks about what an earlier test left unsaved, and waits.
  await vscode.workspace.saveAll(false);
  // One whose file has changed meanwhile is not saved.
  for (const document of vscode.workspace.textDocuments.filter((one) => one.isDirty)) {
    const show = () => vscode.window.showTextDocument(document);
    // In a new window another editor may open meanwhile.
    await show().then(undefined, show);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  for (const { id } of (await runtime.call('sources.list', { limit: 100 })).data) {
    await runtime.call('sources.delete', { id, ignore_hook_errors: true });
  }
  for (const { id } of (await runtime.call('workflows.list', { limit: 100 })).data) {
    await runtime.call('workflows.delete', { id });
  }
  for (const { id } of (await runtime.call('webhooks.list', { limit: 100 })).data) {
    await runtime.call('webhooks.delete', { id });
  }
  await cp(process.env['WEIR_TEST_FIXTURES'] ?? '', inWorkspace(), { recursive: true });
  await showSideBar();
}

/** Opens a file of the workspace in the editor, as a click in the explorer would. */
export async function open(file: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
}

/** Changes a file on disk and waits until the editor shows it. */
export async function edit(file: string, change: (text: string) => string): Promise<void> {
  const text = change(await readFile(file, 'utf8'));
  await writeFile(file, text);
  const document = await vscode.workspace.openTextDocument(file);
  await until('the editor to notice the change', () => document.getText() === text);
}

export async function runtimeFile(): Promise<RuntimeFile> {
  return JSON.parse(await readFile(inWorkspace('.weir', 'runtime.json'), 'utf8')) as RuntimeFile;
}

/** Shows Weir's side bar the way a user does, in this window or another one. */
export async function showSideBar(window?: Page): Promise<void> {
  const page = window ?? (await workbench());
  // With a badge, its label goes on with what that counts.
  const tab = page.locator('.activitybar [aria-label^="Weir"]').first();
  await tab.waitFor();
  if ((await tab.getAttribute('aria-expanded')) === 'true') return;
  const open = await page.locator('.pane-header[aria-label^="Sources"]').count();
  if (open === 0) await tab.click();
  await page.locator('.pane-header[aria-label^="Sources"]').waitFor();
}
