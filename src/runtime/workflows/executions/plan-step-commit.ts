/** From the end of a step, of a leg or of an execution to the one commit that stores it. */
import type { EventPlanner } from '../../events/emit/planner.ts';
import type { Outcome } from '../../processes/outcome.ts';
import type { ExecutionEnd, StepCommit } from '../../store/commit.ts';
import type { DroppedEvent } from '../../store/history/events.ts';
import type { NewStepRun } from '../../store/history/executions.ts';
import type { NewLog } from '../../store/history/logs.ts';
import { withoutItems } from '../../../protocol/step-path.ts';
import type { Execution } from './execution.ts';
import { endLine } from './execution-end.ts';

/** The changes to store. Without an end and a pause the leg continues. */
export interface StepChange {
  readonly step?: NewStepRun | undefined;
  /** Changes of the step to its db. */
  readonly db?: Outcome['db'] | undefined;
  readonly pause?: StepCommit['pause'];
  readonly end?: ExecutionEnd | undefined;
  /** Set if the execution has no deployment loaded. */
  readonly deploymentId?: string | undefined;
}

export interface PlanParts {
  readonly planner: Pick<EventPlanner, 'plan' | 'notices'>;
  /** Epoch ms. */
  readonly now: number;
  /** False where only that it ran is kept (P25.5). */
  readonly isKept: boolean;
  readonly mask: (text: string) => string;
  /** `$.context`, for `$errors`. */
  readonly context: () => object;
  /** The notification of an execution that ended in this way. */
  readonly notificationOf: (end: ExecutionEnd) => StepCommit['notification'];
}

/** The next plan of the emitter rests on this one: commit it before. */
export function planStepCommit(
  execution: Execution,
  { step, db, pause, end, deploymentId }: StepChange,
  { planner, now, isKept, mask, context, notificationOf }: PlanParts,
): StepCommit {
  const { n, emitter, hops } = execution;
  const startedAt = execution.startedAt ?? execution.createdAt;
  const isOver = end !== undefined || pause !== undefined;
  const isTest = execution.test !== undefined;
  const plan = isOver && !isTest ? planner.plan(emitter, execution.emits, now, hops) : undefined;
  const logs: NewLog[] = [];
  if (end !== undefined) {
    const line = endLine(execution, end);
    logs.push({ ...line, text: mask(line.text) });
  }
  const notices =
    end === undefined || isTest
      ? undefined
      : planner.notices(
          emitter,
          () => ({
            n,
            emitterId: emitter.id,
            cause: execution.cause,
            attempt: execution.attempt,
            hops,
            startedAt,
            endedAt: now,
            status: end.status,
            trigger: isKept ? execution.trigger : undefined,
            // Asked for by the notice of an error alone.
            get context() {
              return context();
            },
            ...(execution.failure?.namespace !== undefined && {
              cellId: execution.failure.namespace,
            }),
            logs: [...(step?.logs ?? []), ...logs],
            error: end.status === 'cancelled' ? undefined : end.error,
          }),
          now,
        );
  return {
    n,
    emitterId: emitter.id,
    fence: emitter.fence,
    deploymentId: deploymentId ?? execution.deployment?.id ?? '',
    startedAt,
    // At the end of a leg nothing is kept back any more.
    ...(step !== undefined && { step: isOver ? { ...step, sends: null } : step }),
    leg: execution.leg,
    ...(execution.resumed !== undefined && { resumed: execution.resumed }),
    ...(pause !== undefined && { pause }),
    ...(end !== undefined && { end }),
    sends: isOver ? execution.sends : [],
    sendsOut: isOver,
    events: plan?.events ?? [],
    scheduled: plan?.scheduled,
    hops: hops + 1,
    drops: isTest
      ? unsent(execution, isOver, now)
      : [...(plan?.drops ?? []), ...(notices?.drops ?? [])],
    notices: notices?.events,
    db: step === undefined || isTest ? [] : prefixed(db ?? [], step.path),
    ...(isTest && { isTest }),
    ...(execution.unkeptResponse !== undefined && isKept && { response: execution.unkeptResponse }),
    logs,
    forget: end !== undefined && !isKept,
    notification: end === undefined || isTest ? undefined : notificationOf(end),
    ...(step !== undefined &&
      (execution.attempt > 1 || execution.isCutOff) && { progressed: true }),
    ...(end !== undefined && execution.leavesWaiting && { leavesWaiting: true }),
  };
}

/** Keys of a step's db are its own: two steps may have a prop of one name. */
function prefixed(writes: Outcome['db'], path: string): Outcome['db'] {
  return writes.map((write) => ({ ...write, prop: `${withoutItems(path)}.${write.prop}` }));
}

/** The events that a test emitted: each with a row that says why it is not an event (P25.90). */
function unsent({ emits, emitter }: Execution, isOver: boolean, now: number): DroppedEvent[] {
  if (!isOver) return [];
  return emits.map(({ name: channel = '', summary, event: payload }) => ({
    id: emitter.eventIds.next(now),
    at: now,
    channel,
    summary,
    payload,
    reason: 'It was a test.',
  }));
}
