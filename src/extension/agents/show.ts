/** Opens rows of the view of agents. */
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { Command } from '../commands/context.ts';
import { runUri } from '../documents/run-documents.ts';
import { isNode } from '../views/nodes.ts';
import { actionRunUri, agentCallUri } from './agent-documents.ts';

export const showAgentCall: Command = async (_context, arg) => {
  if (!isNode(arg, 'agentCall')) return;
  await show(agentCallUri(arg.folder, arg.call));
};

export const showActionRun: Command = async (_context, arg) => {
  if (!isNode(arg, 'actionRun')) return;
  await show(actionRunUri(arg.folder, arg.run));
};

/** Opens what a call made, changed or read: a run as its own document, everything else in its view. */
export const revealResult: Command = async (_context, arg) => {
  if (!isNode(arg, 'agentCall') || arg.call.uri === undefined) return;
  const { folder } = arg;
  const { uri } = arg.call;
  const client = await folder.link.ready();
  const [, kind = '', path = ''] = /^weir:\/\/([a-z-]+)\/(.+)$/.exec(uri) ?? [];
  const [first = '', second = ''] = path.split('/').map(decodeURIComponent);
  if (kind === 'action-runs') {
    return show(actionRunUri(folder, await client.call('action_runs.get', { id: first })));
  }
  if (kind === 'runs') {
    const of = { id: first, invocation_id: second };
    return show(runUri(folder, await client.call('invocations.get', of)));
  }
  if (kind === 'executions') {
    const execution = await client.call('executions.get', { id: first });
    const row = { kind: 'execution', folder, execution };
    await vscode.commands.executeCommand('weir.showExecution', row);
    return;
  }
  if (kind === 'sources') {
    await vscode.commands.executeCommand('weir.revealSource', first);
    return;
  }
  throw new WeirError('not_found', `${uri} has no document in the editor.`);
};

async function show(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(uri, { preview: true });
}
