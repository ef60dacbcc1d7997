/** `weir dev <folder>`: a workflow that is deployed again at each save of a file it is made of. */
import { once } from 'node:events';
import { createReconnectingClient } from '../../client/reconnecting.ts';
import type { Execution } from '../../protocol/catalogue.ts';
import type { Change } from '../../protocol/rpc.ts';
import type { ConnectedTools } from '../cli.ts';
import { EarlyLines } from '../lists/early-lines.ts';
import type { Renderer } from '../render/renderer.ts';
import { eventText, logText } from '../views/events.ts';
import { outcomeText } from '../views/executions.ts';
import { updateErrorText } from '../views/update-error.ts';
import { deployedText, warningText } from '../views/workflows.ts';
import { watchFiles } from '../../client/watch-files.ts';

/**
 * Deploys it, and prints its logs, its events and the end of each execution, until Ctrl-C; it stays deployed.
 * @param path absolute, of its folder or `workflow.yaml`
 * @param debug lets a debugger attach, again after each update
 */
export async function developWorkflow(
  { call, out, dataFolder, interrupted }: ConnectedTools,
  path: string,
  debug: boolean,
): Promise<void> {
  const client = createReconnectingClient({ dataFolder });
  const code = { workflow_path: path, ...(debug && { debug }) };
  const print = printerOf(out);
  let id: string | undefined;
  client.onChanges((batch) => {
    for (const change of batch) print(change, id);
  });
  const follow = async (workflow: string): Promise<void> => {
    const { inputs = [] } = await call('workflows.get', { id: workflow, include_code: true });
    watch.follow(inputs);
  };
  const watch = watchFiles(async () => {
    if (id === undefined) return;
    try {
      const { warnings } = await call('workflows.deploy', code);
      for (const warning of warnings) out.note(warningText(warning));
      out.note('Updated.');
      await follow(id);
    } catch (error) {
      if (!interrupted.aborted) out.note(updateErrorText(error));
    }
  });
  try {
    await client.connected(interrupted);
    const { warnings, ...workflow } = await call('workflows.deploy', code);
    id = workflow.id;
    for (const warning of warnings) out.note(warningText(warning));
    out.item({ type: 'workflow', workflow }, () =>
      [`${workflow.name} follows ${workflow.path}.`, deployedText(workflow)].join('\n'),
    );
    await follow(id);
    if (!interrupted.aborted) await once(interrupted, 'abort');
    out.note(`${workflow.name} stays deployed.`);
  } catch (error) {
    if (!interrupted.aborted) throw error;
  } finally {
    watch.close();
    client.close();
  }
}

/** Prints what concerns a workflow; with no id yet, a process of its that waits for a debugger. */
function printerOf(out: Renderer): (change: Change, id: string | undefined) => void {
  const early = new EarlyLines();
  const ended = new Set<Execution['id']>();
  return (change, id) => {
    if (change.type === 'debug' && (id ?? change.process.source_id) === change.process.source_id) {
      out.item(change, () => `Debugger listening on ${change.process.url}`);
    }
    if (change.type === 'console' && change.source_id === id) {
      for (const line of early.take(change)) out.item({ type: 'log', line }, () => logText(line));
    }
    if (change.type === 'log' && change.line.source_id === id && !early.wasShown(change.line)) {
      out.item(change, () => logText(change.line));
    }
    if (change.type === 'event' && change.event.metadata.emitter_id === id) {
      out.item(change, () => eventText(change.event));
    }
    if (change.type === 'execution' && change.execution.workflow_id === id) {
      const { execution } = change;
      if (execution.ended_at === null || ended.has(execution.id)) return;
      ended.add(execution.id);
      out.item(change, () => outcomeText(execution));
    }
  };
}
