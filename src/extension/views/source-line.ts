import type { Source } from '../../protocol/catalogue.ts';
import { type EmitterState, stateColours, stateIcons } from './emitter-look.ts';
import { relativeTime, tokens, type Line } from './line.ts';

/** Follows its file; `broken` while the file does not compile, and what was deployed before goes on serving. */
export type Following = 'in step' | 'broken';

/** @param isRuntimeStopped nothing triggers the source until the runtime is started again */
export function sourceLine(
  source: Source,
  now: number,
  isRuntimeStopped = false,
  following?: Following,
): Line {
  const kind = source.endpoint_url === null ? timerKind(source) : 'http';
  const state = stateOf(source);
  const dev =
    following === undefined
      ? undefined
      : following === 'broken'
        ? 'dev mode: broken save'
        : 'dev mode';
  const description = [dev, describe(source, state, now)]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    label: source.name,
    description,
    icon: stateIcons[state] ?? icons[kind],
    ...(state === 'running'
      ? {}
      : { colour: isRuntimeStopped ? stateColours.inactive : stateColours[state] }),
    contextValue: tokens(
      'source',
      source.active ? 'active' : 'inactive',
      kind,
      state === 'running' ? 'running' : undefined,
      source.path === null ? undefined : 'file',
    ),
    accessible: `${source.name}, source, ${state}, ${description}`,
  };
}

type Kind = 'http' | 'timer' | 'manual';

const icons: Record<Kind, string> = { http: 'globe', timer: 'clock', manual: 'play-circle' };

function timerKind(source: Source): Kind {
  const timer = source.configurable_props.some((prop) => prop.type === '$.interface.timer');
  return timer ? 'timer' : 'manual';
}

/** Whether somebody should look at it: it is active, and its last run failed. */
export function isFailing(source: Source): boolean {
  return stateOf(source) === 'failed';
}

function stateOf(source: Source): EmitterState {
  if (source.debug?.paused === true) return 'paused';
  if (!source.active) return 'inactive';
  const last = source.last_invocation;
  if (last?.status === 'running') return 'running';
  return last?.status === 'failed' || last?.status === 'crashed' ? 'failed' : 'active';
}

function describe(source: Source, state: EmitterState, now: number): string {
  if (state === 'inactive' || state === 'paused') return state;
  if (state === 'failed') {
    const at = source.last_invocation?.ended_at;
    return at === null || at === undefined ? 'failed' : `failed ${relativeTime(at, now)}`;
  }
  const last = source.last_invocation;
  const ran =
    last === null ? undefined : `ran ${relativeTime(last.ended_at ?? last.created_at, now)}`;
  // What changes comes first: a narrow side bar cuts off the rest.
  return [state === 'running' ? 'running' : ran, triggerOf(source, now)]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** Of an endpoint only the path: its host is always this machine. */
function triggerOf(source: Source, now: number): string {
  if (source.endpoint_url !== null) return new URL(source.endpoint_url).pathname;
  if (source.next_tick_at !== null) return `next run ${relativeTime(source.next_tick_at, now)}`;
  return 'run by hand';
}
