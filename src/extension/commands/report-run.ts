import * as vscode from 'vscode';
import type { Invocation, Source } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { countOf } from '../count-of.ts';
import type { CommandContext } from './context.ts';

/** Says how a run that the user started has ended. Throws `component_failed` when it failed. */
export function reportRun(
  { output }: Pick<CommandContext, 'output'>,
  source: Pick<Source, 'name'>,
  run: Invocation,
): void {
  const emitted = countOf(run.emitted_count, 'event');
  output.info(`Ran ${source.name}: ${run.status}, ${emitted}, ${run.dropped_count} dropped.`);
  if (run.error !== null) {
    const { name, message } = run.error;
    throw new WeirError('component_failed', `${source.name} failed. ${name}: ${message}`);
  }
  vscode.window.setStatusBarMessage(`$(check) ${source.name} emitted ${emitted}`, 5000);
}
