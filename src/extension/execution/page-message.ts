import type { ExecutionAction, PageMessage, StepAction } from '../../webview/execution/messages.ts';

const actions: Readonly<Record<ExecutionAction, true>> = {
  replay: true,
  retryFailed: true,
  replayOnFiles: true,
  cancelExecution: true,
  saveTest: true,
  copyCurl: true,
  openWorkflowPage: true,
  openWorkflow: true,
  openText: true,
};

const stepActions: Readonly<Record<StepAction, true>> = {
  resumeExecution: true,
  skipPause: true,
  runStep: true,
  runFromStep: true,
  runFromStepWith: true,
  pinStep: true,
  openCode: true,
  copyResumeUrl: true,
};

/**
 * Checks what a page sent. The page shows what anybody may have sent to an endpoint, so it is not
 * trusted.
 * @returns undefined for anything that is not a message of ours
 */
export function parsePageMessage(sent: unknown): PageMessage | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  const { t, action, text, key, at } = sent as Readonly<Record<string, unknown>>;
  if (t === 'ready') return { t };
  if (t === 'select' && typeof key === 'string') return { t, key };
  if (t === 'copy' && typeof text === 'string') return { t, text };
  if (t === 'openFrame' && typeof at === 'number') return { t, at };
  if (typeof action !== 'string') return undefined;
  if (t === 'do' && Object.hasOwn(actions, action)) {
    return { t, action: action as ExecutionAction };
  }
  if (t === 'doStep' && typeof key === 'string' && Object.hasOwn(stepActions, action)) {
    return { t, key, action: action as StepAction };
  }
  return undefined;
}
