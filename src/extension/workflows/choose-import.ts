import * as vscode from 'vscode';
import path from 'node:path';
import type { Params } from '../../protocol/catalogue.ts';

type Request = Params<'imports.run'>;

interface ImportOrigin extends vscode.QuickPickItem {
  readonly ask: () => Promise<Request | undefined>;
}

/**
 * Asks where the workflows are, and where they are put.
 * @param root folder of the workspace, below which they are put
 * @returns undefined when the user cancelled
 */
export async function chooseImport(title: string, root: string): Promise<Request | undefined> {
  const places: ImportOrigin[] = [
    {
      label: '$(folder) Folder of git-sync…',
      detail: 'Folders with workflow.yaml, used where they are when they lie in this workspace',
      ask: () => chooseFolder(title, root),
    },
    {
      label: '$(repo) Git repository…',
      detail: 'A repository that git-sync writes to, by its URL',
      ask: () => chooseRepository(title),
    },
    {
      label: '$(file-zip) Project export (ZIP)…',
      detail: 'project_export-proj_….zip, as a project is exported',
      ask: () => chooseZip(title),
    },
    {
      label: '$(cloud-download) REST API…',
      detail: 'Workflows by their ids, with an API key',
      ask: () => chooseApi(title),
    },
  ];
  const chosen = await vscode.window.showQuickPick(places, { title, matchOnDetail: true });
  return chosen?.ask();
}

async function chooseFolder(title: string, root: string): Promise<Request | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title,
      canSelectFolders: true,
      canSelectFiles: false,
      defaultUri: vscode.Uri.file(root),
    })) ?? [];
  if (uri === undefined) return undefined;
  const folder = uri.fsPath;
  const isHere = folder === root || folder.startsWith(root + path.sep);
  return { folder, ...(!isHere && { to: path.join(root, path.basename(folder)) }) };
}

async function chooseRepository(title: string): Promise<Request | undefined> {
  const git = await vscode.window.showInputBox({
    title,
    prompt: 'URL of the repository. Git uses what it is configured with; it asks for nothing.',
    placeHolder: 'https://github.com/acme/workflows.git',
    ignoreFocusOut: true,
  });
  return git === undefined || git.trim() === '' ? undefined : { git: git.trim() };
}

async function chooseZip(title: string): Promise<Request | undefined> {
  const filters = { ZIP: ['zip'] };
  const [uri] = (await vscode.window.showOpenDialog({ title, filters })) ?? [];
  return uri && { zip: uri.fsPath };
}

async function chooseApi(title: string): Promise<Request | undefined> {
  const ask = (prompt: string, options: vscode.InputBoxOptions): Thenable<string | undefined> =>
    vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true, ...options });
  const url = await ask('Base address of the API.', { value: 'https://api.pipedream.com/v1' });
  const key = url && (await ask('API key. It is used once, and not kept.', { password: true }));
  if (key === undefined || key === '') return undefined;
  const org = await ask('Workspace (o_…); empty for none.', { placeHolder: 'o_…' });
  const ids =
    org === undefined ? undefined : await ask('Ids of workflows.', { placeHolder: 'p_… p_…' });
  if (ids === undefined) return undefined;
  return {
    api_url: url,
    api_key: key,
    workflow_ids: ids.split(/[\s,]+/).filter((id) => id !== ''),
    ...(org !== undefined && org !== '' && { org_id: org }),
  };
}
