import * as vscode from 'vscode';
import type { Result } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Values } from '../../webview/prop-form/messages.ts';
import type { CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import { inView, reportError } from '../notify.ts';
import type { Input } from './run-choice.ts';

/** What is run: a deployed source with the code of its file, or a file that is not deployed. */
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

/** Runs it in a process of its own and shows what it would do; nothing it does is kept. */
export async function dryRun(
  context: CommandContext,
  subject: DryRunSubject,
  input: Input,
  debug: boolean,
): Promise<void> {
  const { folder, name, file, sourceId } = subject;
  const go = async (): Promise<void> => {
    const client = await folder.link.ready();
    const call = () => client.call('sources.dryRun', { ...paramsOf(subject), ...input });
    const result = await inView(() =>
      file === null ? call() : context.problems.during(file, call),
    );
    await context.results.show(`Dry run of ${name}`, readable(result));
  };
  // While the source is debugged, every process that runs its file is.
  const debugged = sourceId !== undefined && context.debug.isDebugging(folder, sourceId);
  if (!debug || debugged || file === null) return go();
  const configuration = await context.debug.begin(folder, file, `Dry run of ${name}`, () =>
    underDebugger(context, folder, file, go),
  );
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
  await vscode.debug.startDebugging(workspaceFolder, configuration);
}

async function underDebugger(
  context: CommandContext,
  folder: Folder,
  file: string,
  go: () => Promise<void>,
): Promise<void> {
  const client = await folder.link.ready();
  await client.call('debug.start', { id: file });
  try {
    await go();
  } catch (error) {
    reportError(error, context.output);
    throw new WeirError('cancelled', 'Reported already.', undefined, error);
  } finally {
    await context.debug.end(folder, file);
  }
}

function paramsOf({ file, sourceId, props }: DryRunSubject): object {
  return {
    ...(sourceId === undefined ? {} : { id: sourceId }),
    ...(file === null ? {} : { component_path: file }),
    ...(props === undefined ? {} : { configured_props: props }),
  };
}

/** With the stack trace as a list: as one string of many lines it is hard to read in JSON. */
function readable({ error, ...result }: Result<'sources.dryRun'>): unknown {
  if (error?.stack === undefined) return { ...result, error };
  return { ...result, error: { ...error, stack: error.stack.split('\n') } };
}
