/** Who is notified of a failed execution: a person at the editor, and by mail (pure; P25.75). */
import { createHash } from 'node:crypto';
import type { ThrownError } from '../../../protocol/host.ts';
import { executionPrefix } from '../../../protocol/ids.ts';
import type { ErrorNotification, ExecutionEnd } from '../../store/commit.ts';
import type { NewSend } from '../../store/history/sends.ts';
import type { UsesStore } from '../../store/store.ts';
import type { Execution } from './execution.ts';

export interface NotificationParts extends UsesStore<'workflows'> {
  /** Hides the values of environment variables. */
  readonly mask: (text: string) => string;
  /** Whether there is a server that takes mails. */
  readonly mails: boolean;
  /** Whether anybody is connected who could be notified, such as an editor. */
  readonly isWatched: () => boolean;
}

/** Undefined for an execution that did not fail, if the file turns notifications off, and while nobody is there. */
export function notificationOf(
  { n, emitter, deployment, failure }: Execution,
  { status, error }: ExecutionEnd,
  { store: { workflows }, mask, mails, isWatched }: NotificationParts,
): ErrorNotification | undefined {
  if (error === undefined || status === 'cancelled' || (!mails && !isWatched())) return undefined;
  const workflow = workflows.get(emitter.id);
  const used = deployment ?? workflows.deployment(workflow?.deploymentId ?? '');
  if (workflow === undefined || used?.definition.settings.errorNotification !== true) {
    return undefined;
  }
  const key = keyOf(failure?.namespace, error);
  if (!mails) return { error: key };
  const execution = `${executionPrefix}${n} of ${workflow.name} (${workflow.path})`;
  return { error: key, mail: mailOf(workflow.name, execution, said[status], error, mask) };
}

/** An id, or a long number: it is another one each time. */
const passing = /[\da-f]{8}-[\da-f-]{27}|\b[\da-f]{8,}\b|\d{4,}/gi;

/** Tells errors apart: by the step, and by what was thrown. */
function keyOf(namespace: string | undefined, { name, message }: ThrownError): string {
  const told = JSON.stringify([namespace, name, message.replace(passing, '#')]);
  return createHash('sha256').update(told).digest('base64url');
}

const said: Readonly<Record<ExecutionEnd['status'], string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'was cancelled',
  crashed: 'crashed',
  timed_out: 'took too long',
  dropped: 'was dropped',
};

function mailOf(
  name: string,
  execution: string,
  how: string,
  error: ThrownError,
  mask: (text: string) => string,
): NewSend {
  const [id] = execution.split(' ', 1);
  const lines = [
    `${error.name}: ${error.message}`,
    '',
    `${execution} ${how}. "weir execution ${id}" shows its steps.`,
    'Of the same error you are told once a day; settings.error_notification in workflow.yaml switches this off.',
    ...(error.stack === undefined ? [] : ['', error.stack]),
  ];
  const subject = mask(`${name} ${how}: ${firstLine(error.message)}`);
  return { path: '', send: { kind: 'email', subject, text: mask(lines.join('\n')) } };
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n', 1);
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
