import type {
  PageMessage,
  WorkflowAction,
  WorkflowSubject,
} from '../../webview/workflow/messages.ts';

const actions: Readonly<Record<WorkflowAction, true>> = {
  runWithEvent: true,
  retryFailed: true,
  replayOnFiles: true,
  cancelAllExecutions: true,
  managePins: true,
  openWorkflow: true,
  openInBuilder: true,
};

/**
 * Checks what a page sent. The page shows what anybody may have sent to an endpoint, so it is not
 * trusted.
 * @returns undefined for anything that is not a message of ours
 */
export function parsePageMessage(sent: unknown): PageMessage | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  const { t, id, at, action } = sent as Readonly<Record<string, unknown>>;
  if (t === 'ready') return { t };
  if ((t === 'open' || t === 'cancel') && typeof id === 'string') return { t, id };
  if ((t === 'retry' || t === 'openPin') && typeof at === 'number') return { t, at };
  if (t === 'do' && typeof action === 'string' && Object.hasOwn(actions, action)) {
    return { t, action: action as WorkflowAction };
  }
  return undefined;
}

/** The subject that a page left for a reload of the window; undefined for anything else. */
export function parseSubject(kept: unknown): WorkflowSubject | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { runtime, workflowId } = kept as Readonly<Record<string, unknown>>;
  if (typeof runtime !== 'string' || typeof workflowId !== 'string') return undefined;
  return { runtime, workflowId };
}
