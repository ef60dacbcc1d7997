import * as vscode from 'vscode';
import {
  asTheyAreNow,
  executionsOf,
  failedSince,
  hasFailed,
  isOfOneReplay,
  replayToEnd,
  retriesInWords,
} from '../../client/past-executions.ts';
import type { Execution, WholeExecution } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import { inView, withProgress } from '../notify.ts';
import { relativeTime } from '../views/line.ts';
import { chosenExecutions, type ChosenExecutions } from './chosen-executions.ts';
import type { WorkflowNode } from './workflow-nodes.ts';
import { pickWorkflow } from './pick-workflow.ts';

/**
 * Runs the triggers of executions that failed again, on what is deployed now: of the selected rows, else of a workflow
 * all that failed since a time and were not made good. One after the other, until it is cancelled.
 */
export const retryFailed: Command = async (context, arg, selection) => {
  const chosen = (await selected(context, arg, selection)) ?? (await ofWorkflow(context, arg));
  if (chosen === undefined) return;
  const { folder, workflow, executions } = chosen;
  const how = await howToRetry(`${title}: ${workflow.name}`);
  if (how === undefined) return;
  const client = await folder.link.ready();
  const ended: WholeExecution[] = [];
  const count = executions.length;
  const refused: WeirError[] = [];
  await withProgress(`Retrying ${workflow.name}`, async ({ signal, progress }) => {
    try {
      for (const [at, { id }] of executions.entries()) {
        progress(count === 1 ? id : `${at + 1} of ${count}: ${id}`);
        try {
          ended.push(await replayToEnd(client.call, { id, ...how }, signal));
        } catch (error) {
          // Its steps are others now: that keeps the rest from nothing.
          if (count === 1 || !isOfOneReplay(error)) throw error;
          refused.push(error);
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
  const [only] = ended;
  if (only !== undefined && count === 1) {
    return context.workflows.executions.show(folder, only);
  }
  const show = 'Show Workflow';
  const retried = await asTheyAreNow(client.call, ended);
  void vscode.window
    .showInformationMessage(said(workflow.name, { count, retried, refused }), show)
    .then((answer) => {
      const node: WorkflowNode = { kind: 'workflow', folder, workflow };
      if (answer === show) void vscode.commands.executeCommand('weir.openWorkflowPage', node);
    });
};

const title = 'Retry Failed';

/** Asks where they begin. @returns undefined when the user cancelled */
async function howToRetry(asked: string): Promise<{ readonly from_failed?: true } | undefined> {
  const items = [
    {
      label: 'From the Trigger',
      description: 'every step runs again',
      how: {},
    },
    {
      label: 'From the Failed Step',
      description: 'the results of the steps before it are taken as they are',
      how: { from_failed: true } as const,
    },
  ];
  return (await vscode.window.showQuickPick(items, { title: asked, matchOnDescription: true }))
    ?.how;
}

interface Retried {
  readonly count: number;
  readonly retried: readonly WholeExecution[];
  /** Why executions that could not begin were refused. */
  readonly refused: readonly WeirError[];
}

function said(name: string, { count, retried, refused }: Retried): string {
  const done = retried.length;
  const outcome = done === 0 ? '.' : `: ${retriesInWords(retried)}.`;
  const [why] = refused;
  const others = why === undefined ? '' : ` ${refused.length} could not be retried: ${why.message}`;
  const isCancelled = done + refused.length < count;
  const which = isCancelled || why !== undefined ? `${done} of ${count}` : `${count}`;
  return `${isCancelled ? 'Cancelled: ' : ''}${which} executions of ${name} were retried${outcome}${others}`;
}

async function selected(
  context: CommandContext,
  arg: unknown,
  selection: unknown,
): Promise<ChosenExecutions | undefined> {
  const chosen = await chosenExecutions(context, arg, selection);
  if (chosen === undefined) return undefined;
  const executions = chosen.executions.filter((one) => hasFailed(one) && !one.test);
  if (executions.length > 0) return { ...chosen, executions };
  throw new WeirError('not_found', 'None of these executions failed; tests are not retried.');
}

async function ofWorkflow(
  context: CommandContext,
  arg: unknown,
): Promise<ChosenExecutions | undefined> {
  const target = await pickWorkflow(context, arg, title);
  if (target === undefined) return undefined;
  const { folder, workflow } = target;
  const client = await folder.link.ready();
  const all = await inView(() => executionsOf(client.call, workflow.id), 'weir.workflows');
  const failed = failedSince(all, 0);
  if (failed.length === 0) {
    void vscode.window.showInformationMessage(
      `${workflow.name} has no failed executions left to retry.`,
    );
    return undefined;
  }
  const executions = await since(`${title}: ${workflow.name}`, failed, context.clock.now());
  return executions && { folder, workflow, executions };
}

const hourMs = 3_600_000;

/** Asks how far back. @returns undefined when the user cancelled */
async function since(
  title: string,
  failed: readonly Execution[],
  now: number,
): Promise<readonly Execution[] | undefined> {
  const after = (at: number) => failed.filter((one) => one.created_at >= at);
  const of = (label: string, executions: readonly Execution[]) => {
    const [oldest] = executions;
    const about = oldest === undefined ? '' : `, the first ${relativeTime(oldest.created_at, now)}`;
    return { label, description: `${executions.length} failed${about}`, executions };
  };
  const ask = {
    label: 'Since a Time…',
    description: 'such as 2026-11-20T08:00',
    executions: failed,
  };
  const items = [
    of('All That Failed', failed),
    of('Of the Last Hour', after(now - hourMs)),
    of('Of the Last 24 Hours', after(now - 24 * hourMs)),
    ask,
  ].filter((item) => item.executions.length > 0);
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  if (picked !== ask) return picked?.executions;
  const text = await vscode.window.showInputBox({
    title,
    prompt: 'Executions that began at this time or later, and failed.',
    value: localTime(failed[0]?.created_at ?? now),
    validateInput(typed) {
      const at = Date.parse(typed);
      if (Number.isNaN(at)) return 'A date, with a time if you like: 2026-11-20T08:00.';
      return after(at).length === 0 ? 'No execution has failed since then.' : undefined;
    },
  });
  return text === undefined ? undefined : after(Date.parse(text));
}

/** As it is typed: without the zone, to the minute. */
function localTime(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
