/** The log lines at the end of a run (pure). */
import type { ThrownError, Work } from '../../protocol/host.ts';
import type { InvocationCommit } from '../store/commit.ts';
import type { NewLog } from '../store/history/logs.ts';

/** What it was, how it ended, what came of it. @param run its work, and when it started in epoch ms */
export function endLine(
  run: { readonly work: Work; readonly startedAt: number },
  status: InvocationCommit['status'],
  endedAt: number,
  emitted: number,
  dropped: number,
): NewLog {
  const parts = [`${nameOf(run.work)} ${status} in ${duration(endedAt - run.startedAt)}`];
  if (emitted > 0) parts.push(emitted === 1 ? '1 event' : `${emitted} events`);
  if (dropped > 0) parts.push(`${dropped} dropped`);
  return {
    at: endedAt,
    kind: 'end',
    level: status === 'succeeded' ? 'info' : 'error',
    text: parts.join(' · '),
  };
}

/** Why it failed: the author's mistake with its stack, a wrong configuration without. */
export function errorLine(error: ThrownError, at: number): NewLog {
  const text =
    error.configuration === true || error.stack === undefined
      ? `${error.name}: ${error.message}`
      : error.stack;
  return { at, kind: 'error', level: 'error', text };
}

function nameOf(work: Work): string {
  if (work.call === 'hook') return `${work.hook} hook`;
  if (work.call !== 'run') return work.call;
  switch (work.trigger.kind) {
    case 'http':
      return `${work.trigger.method} ${work.trigger.path}`;
    case 'timer':
      return 'timer run';
    case 'event':
      return 'run';
  }
}

function duration(ms: number): string {
  const clean = Math.max(0, ms);
  return clean < 1000 ? `${Math.round(clean)} ms` : `${(clean / 1000).toFixed(1)} s`;
}
