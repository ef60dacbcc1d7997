import * as vscode from 'vscode';
import type { Workflow } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import { jsonFile, typedJson } from '../debug/run-choice.ts';
import { relativeTime } from '../views/line.ts';
import { stateInWords, titleOfExecution } from './execution-line.ts';
import { endpointOf } from './workflow-line.ts';

/** The start of a workflow: an event or an execution. */
export type WorkflowInput =
  | { readonly kind: 'event'; readonly event: unknown }
  /** The trigger of a past execution, as it was received. */
  | { readonly kind: 'replay'; readonly executionId: string }
  /** Nothing: a request or a tick will come. */
  | { readonly kind: 'wait' };

interface InputItem extends vscode.QuickPickItem {
  readonly input?: () => Promise<WorkflowInput | undefined>;
}

/**
 * Asks what a workflow is started with.
 * @param mayWait whether to offer to wait for its own trigger, as under a debugger
 * @param now epoch ms, to show ages
 * @param placeHolder which version runs
 * @returns undefined when the user cancelled
 */
export async function chooseWorkflowInput(
  title: string,
  folder: Folder,
  workflow: Pick<Workflow, 'id' | 'triggers'>,
  mayWait: boolean,
  now: number,
  placeHolder?: string,
): Promise<WorkflowInput | undefined> {
  const past = folder.mirror.executions(workflow.id).filter(({ cause }) => cause !== 'hook');
  const sample = sampleEvent(workflow, now);
  const url = endpointOf(workflow);
  const event = (read: () => Promise<{ readonly event: unknown } | undefined>) => async () => {
    const found = await read();
    return found === undefined ? undefined : ({ kind: 'event', event: found.event } as const);
  };
  const items: InputItem[] = [
    ...(mayWait && workflow.triggers.length > 0
      ? [
          {
            label:
              url === undefined ? '$(clock) Wait for its trigger' : '$(globe) Wait for a request',
            description: url ?? 'the next tick or event runs it',
            input: () => Promise.resolve({ kind: 'wait' } as const),
          },
        ]
      : []),
    {
      label: '$(json) Type JSON…',
      description: 'steps.trigger.event',
      input: event(() => typedJson(title, JSON.stringify(sample), typedPrompt)),
    },
    {
      label: '$(file) JSON from a file…',
      input: event(() => jsonFile(title)),
    },
    {
      label: '$(beaker) Sample',
      description: JSON.stringify(sample),
      input: () => Promise.resolve({ kind: 'event', event: sample } as const),
    },
    ...(past.length === 0
      ? []
      : [
          {
            label: 'Triggers of past executions, as they were received',
            kind: vscode.QuickPickItemKind.Separator,
          },
        ]),
    ...past.map((execution) => ({
      label: `$(history) ${titleOfExecution(execution)}`,
      description: [
        stateInWords(execution, now) ?? execution.status,
        relativeTime(execution.created_at, now),
      ].join(' · '),
      input: () => Promise.resolve({ kind: 'replay', executionId: execution.id } as const),
    })),
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    matchOnDescription: true,
    ...(placeHolder !== undefined && { placeHolder }),
  });
  return chosen?.input?.();
}

const typedPrompt = 'What steps.trigger.event is, as JSON.';

/** A sample of the event of a workflow's first trigger. @param now epoch ms */
function sampleEvent({ triggers: [first] }: Pick<Workflow, 'triggers'>, now: number): unknown {
  if (first?.type === 'timer') return { timestamp: Math.floor(now / 1000) };
  if (first?.type !== 'http') return {};
  return { method: 'POST', path: '/', query: {}, headers: {}, body: { hello: 'weir' } };
}
