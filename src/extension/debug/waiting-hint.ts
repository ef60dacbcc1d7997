import * as vscode from 'vscode';
import type { Source } from '../../protocol/catalogue.ts';
import { relativeTime } from '../views/line.ts';

interface Wait {
  readonly sentence: string;
  /** How to trigger it, by the title of the command. */
  readonly ways: Readonly<Record<string, string>>;
}

/** What a source under the debugger waits for; undefined for a source that is switched off and waits for nothing. */
export function waitingHint(
  {
    name,
    active,
    endpoint_url: endpoint,
    next_tick_at: tick,
  }: Pick<Source, 'name' | 'active' | 'endpoint_url' | 'next_tick_at'>,
  now: number,
): Wait | undefined {
  if (!active) return undefined;
  if (endpoint !== null) {
    return {
      sentence: `${name} is debugged, and waits for a request to its endpoint.`,
      ways: { 'Compose Request': 'weir.composeRequest', 'Copy as cURL': 'weir.copyCurl' },
    };
  }
  const what = tick === null ? 'to be run' : `for its next run ${relativeTime(tick, now)}`;
  return {
    sentence: `${name} is debugged, and waits ${what}.`,
    ways: { 'Run Now': 'weir.invoke' },
  };
}

/** A debugger that has attached stops nowhere before something runs: says so, and offers to make it run. */
export async function showWaitingHint(source: Source, now: number): Promise<void> {
  const wait = waitingHint(source, now);
  if (wait === undefined) return;
  const { sentence, ways } = wait;
  const chosen = await vscode.window.showInformationMessage(sentence, ...Object.keys(ways));
  const command = chosen === undefined ? undefined : ways[chosen];
  if (command !== undefined) await vscode.commands.executeCommand(command, source.id);
}
