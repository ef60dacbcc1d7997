import { hasFailed } from '../../client/past-executions.ts';
import type { Execution, Workflow } from '../../protocol/catalogue.ts';
import { type EmitterState, stateColours, stateIcons } from '../views/emitter-look.ts';
import { relativeTime, tokens, type Line } from '../views/line.ts';

/**
 * A deployed workflow.
 * @param last its newest execution
 * @param isStopped the runtime is: nothing triggers it until that is started again
 * @param isFollowed it is in dev mode
 */
export function workflowLine(
  workflow: Workflow,
  last: Execution | undefined,
  now: number,
  { isStopped = false, isFollowed = false }: { isStopped?: boolean; isFollowed?: boolean } = {},
): Line {
  const state = stateOf(workflow, last);
  const about = describe(workflow, last, state, now);
  const description = isFollowed ? `dev mode · ${about}` : about;
  return {
    label: workflow.name,
    description,
    icon: stateIcons[state] ?? iconOf(workflow),
    ...(state === 'running'
      ? {}
      : { colour: isStopped ? stateColours.inactive : stateColours[state] }),
    contextValue: tokens(
      'workflow',
      workflow.active ? 'active' : 'inactive',
      endpointOf(workflow) === undefined ? undefined : 'http',
    ),
    accessible: `${workflow.name}, workflow, ${state}, ${description}`,
  };
}

/** The URL of its first HTTP trigger. */
export function endpointOf({ triggers }: Pick<Workflow, 'triggers'>): string | undefined {
  return triggers.find(({ endpoint_url: url }) => url !== undefined)?.endpoint_url;
}

/** Whether somebody should look at it: it is active, and its last execution failed. */
export function isFailingWorkflow(workflow: Workflow, last: Execution | undefined): boolean {
  return stateOf(workflow, last) === 'failed';
}

/** `paused`: it has stopped at a breakpoint. */
function stateOf({ active, debug }: Workflow, last: Execution | undefined): EmitterState {
  if (debug?.paused === true) return 'paused';
  if (!active) return 'inactive';
  if (last?.status === 'running') return 'running';
  return last !== undefined && hasFailed(last) ? 'failed' : 'active';
}

function iconOf({ triggers: [first] }: Workflow): string {
  return (first && icons[first.type]) ?? 'play-circle';
}

const icons: Partial<Record<Workflow['triggers'][number]['type'], string>> = {
  http: 'globe',
  timer: 'clock',
  email: 'mail',
  source: 'link',
  workflow: 'link',
};

function describe(
  workflow: Workflow,
  last: Execution | undefined,
  state: EmitterState,
  now: number,
): string {
  if (state === 'inactive') return 'switched off';
  if (state === 'paused') return 'at a breakpoint';
  const at = last?.ended_at ?? last?.created_at;
  const when = at === undefined ? undefined : relativeTime(at, now);
  const ran =
    state === 'running'
      ? 'running'
      : when === undefined
        ? undefined
        : `${state === 'failed' ? 'failed' : 'ran'} ${when}`;
  // The changing part comes first, because a narrow side bar cuts off the rest.
  return [ran, triggerOf(workflow, now)].filter((part) => part !== undefined).join(' · ');
}

/** Of an endpoint only the path, because its host is always this machine. */
function triggerOf(workflow: Workflow, now: number): string {
  const url = endpointOf(workflow);
  if (url !== undefined) return new URL(url).pathname;
  const tick = workflow.triggers.find(({ next_tick_at: at }) => typeof at === 'number');
  if (typeof tick?.next_tick_at === 'number') {
    return `next run ${relativeTime(tick.next_tick_at, now)}`;
  }
  const listened = workflow.triggers.find(({ type }) => type === 'source' || type === 'workflow');
  return listened === undefined ? 'run by hand' : `listens to ${listened.id ?? listened.type}`;
}
