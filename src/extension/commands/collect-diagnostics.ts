import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../protocol/errors.ts';
import type { Folder } from '../connection/folder.ts';
import { runtimeArguments, runtimeSettings } from '../connection/runtime-settings.ts';
import { countOf } from '../count-of.ts';
import type { Command } from './context.ts';
import { report, type ReportPart } from './diagnostics-report.ts';

const lastLines = 300;

/** Everything one would ask about a problem, as a document to read and pass on. */
export const collectDiagnostics: Command = async (context) => {
  const parts = await Promise.all([
    Promise.resolve(about()),
    ...context.folders.all.flatMap((folder) => [aboutRuntime(folder), logsOf(folder)]),
  ]);
  const content = report(parts, homedir());
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document);
};

function about(): ReportPart {
  const manifest = vscode.extensions.getExtension('weir.weir')?.packageJSON as
    | { readonly version: string }
    | undefined;
  const lines = [
    `Weir ${manifest?.version ?? 'unknown'}`,
    `VS Code ${vscode.version} (${vscode.env.appName}), Node ${process.version}`,
    `${process.platform} ${process.arch}, remote: ${vscode.env.remoteName ?? 'no'}`,
    `trusted: ${vscode.workspace.isTrusted}`,
  ];
  return { title: 'Versions', text: lines.join('\n') };
}

async function aboutRuntime(folder: Folder): Promise<ReportPart> {
  const { link, mirror, root, name, health } = folder;
  const lines = [
    `state: ${link.state}${link.failure === undefined ? '' : ` (${link.failure})`}`,
    `answered in: ${health.answeredInMs ?? '?'} ms`,
    [
      countOf(mirror.sources().length, 'source'),
      countOf(mirror.state.webhooks.size, 'webhook'),
      countOf(mirror.state.subscriptions.size, 'subscription'),
    ].join(', '),
    `settings: ${[...runtimeSettings(root), ...runtimeArguments(root)].join(' ')}`,
    await infoOf(folder),
  ];
  return { title: `Runtime of ${name}`, text: lines.join('\n') };
}

async function infoOf({ link }: Folder): Promise<string> {
  if (link.client === undefined) return 'not connected';
  try {
    return JSON.stringify(await link.client.call('runtime.info', {}), null, 2);
  } catch (error) {
    return messageOf(error);
  }
}

async function logsOf({ dataFolder, name }: Folder): Promise<ReportPart> {
  const of = async (file: string): Promise<string> => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text.trim().split('\n').slice(-lastLines).join('\n');
  };
  const parts = [
    await of(path.join(dataFolder, 'logs', 'runtime.log')),
    await of(path.join(dataFolder, 'start.log')),
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return { title: `Log of ${name}`, text: text === '' ? 'The log is empty.' : text };
}
