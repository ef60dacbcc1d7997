import * as vscode from 'vscode';
import type { AgentCall, KeptActionRun } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { titleAt } from '../connection/runtime-identity.ts';
import { notHere } from '../documents/json-documents.ts';
import { actionRunReport, agentCallReport } from './agent-report.ts';
import { agentScheme } from './agents-view.ts';

/** The most that the runtime lists. */
const mostCalls = 1000;

/** Address of an action's run, as a read-only text. */
export function actionRunUri(
  folder: Folder,
  { id, key, name }: Pick<KeptActionRun, 'id' | 'key' | 'name'>,
): vscode.Uri {
  return uriOf(titleAt(folder, `${key ?? name} ${id}`), { folder: folder.key, run: id });
}

export function agentCallUri(folder: Folder, { at, tool, agent, ms }: AgentCall): vscode.Uri {
  const named = { folder: folder.key, at, tool, agent, ms: String(ms) };
  return uriOf(titleAt(folder, `Call of ${tool}`), named);
}

function uriOf(title: string, query: Record<string, string>): vscode.Uri {
  // A slash would end the name of the tab.
  const path = `/${title.replaceAll('/', '∕')}.log`;
  return vscode.Uri.from({
    scheme: agentScheme,
    path,
    query: new URLSearchParams(query).toString(),
  });
}

export async function agentDocument(folders: Folders, uri: vscode.Uri): Promise<string> {
  const query = new URLSearchParams(uri.query);
  const folder = folders.withKey(query.get('folder'));
  if (folder === undefined) return notHere;
  const client = await folder.link.ready();
  const run = query.get('run');
  if (run !== null) return actionRunReport(await client.call('action_runs.get', { id: run }));
  const { data } = await client.call('agent_calls.list', { limit: mostCalls });
  const call = data.find(
    ({ at, tool, agent, ms }) =>
      at === query.get('at') &&
      tool === query.get('tool') &&
      agent === query.get('agent') &&
      String(ms) === query.get('ms'),
  );
  return call === undefined ? 'This call is no longer kept.\n' : agentCallReport(call);
}
