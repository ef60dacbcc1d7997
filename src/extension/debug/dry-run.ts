import * as vscode from 'vscode';
import type { CallOptions } from '../../client/connection.ts';
import type { Result } from '../../protocol/catalogue.ts';
import type { Values } from '../../webview/prop-form/messages.ts';
import type { CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import { withProgress } from '../notify.ts';
import type { Input } from './run-choice.ts';

/** The subject of a run: a deployed source with the code of its file, or a file that is not deployed. */
export interface DryRunSubject {
  readonly folder: Folder;
  readonly name: string;
  /** Null for a source that was deployed from text. */
  readonly file: string | null;
  /** The deployed source whose props and state are used. */
  readonly sourceId?: string;
  /** For a file that is not deployed. */
  readonly props?: Values;
}

/**
 * Runs it in a process of its own and shows what it would do; nothing it does is kept. Under the
 * debugger it resolves once that has attached, and the run goes on.
 * @param form where the progress is shown and can be cancelled while this is awaited; without one, and
 *   for a run that goes on, a notification does both
 */
export async function dryRun(
  context: CommandContext,
  subject: DryRunSubject,
  input: Input,
  debug: boolean,
  form?: Required<CallOptions>,
): Promise<void> {
  const { folder, file, sourceId } = subject;
  const title = `Dry run of ${subject.name}`;
  const run = (options: CallOptions): Promise<void> => runDry(context, subject, input, options);
  // While the source is debugged, every process that runs its file is.
  const isDebugged = sourceId !== undefined && context.debug.isDebugging(folder, sourceId);
  if (!debug || isDebugged || file === null) {
    return form === undefined ? withProgress(title, run) : run(form);
  }
  const configuration = await context.debug.beginFile(folder, file, title, () =>
    withProgress(title, (shown) => run(form === undefined ? shown : both(shown, form))),
  );
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
  await vscode.debug.startDebugging(workspaceFolder, configuration);
}

async function runDry(
  { problems, results }: CommandContext,
  { folder, name, file, sourceId, props }: DryRunSubject,
  input: Input,
  options: CallOptions,
): Promise<void> {
  const client = await folder.link.ready();
  const params = {
    ...(sourceId === undefined ? {} : { id: sourceId }),
    ...(file === null ? {} : { component_path: file }),
    ...(props === undefined ? {} : { configured_props: props }),
    ...input,
  };
  const call = () => client.call('sources.dryRun', params, options);
  const result = await (file === null ? call() : problems.during(file, call));
  await results.show(`Dry run of ${name}`, readable(result));
}

/** Two places that show the same progress, each of which can cancel it. */
function both(a: Required<CallOptions>, b: Required<CallOptions>): Required<CallOptions> {
  return {
    signal: AbortSignal.any([a.signal, b.signal]),
    progress(message) {
      a.progress(message);
      b.progress(message);
    },
  };
}

/** With the stack trace as a list: as one string of many lines it is hard to read in JSON. */
function readable({ error, ...result }: Result<'sources.dryRun'>): unknown {
  if (error?.stack === undefined) return { ...result, error };
  return { ...result, error: { ...error, stack: error.stack.split('\n') } };
}
