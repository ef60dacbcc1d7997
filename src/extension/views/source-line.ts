import type { Source } from '../../protocol/catalogue.ts';
import { hasFailed } from '../../client/past-executions.ts';
import { type EmitterState, stateColours, stateIcons } from './emitter-look.ts';
import { relativeTime, tokens, type Line } from './line.ts';

/** Follows its file; `broken` while the file does not compile, and the old deployment keeps running. */
export type Following = 'in step' | 'broken';

/** Facts about a source that its runtime does not have. */
export interface SourceExtras {
  /** Nothing triggers the source until the runtime is started again. */
  readonly isRuntimeStopped?: boolean;
  readonly following?: Following | undefined;
  /** Failed runs that nobody has looked at. */
  readonly unseen?: number;
  /** The file that it was deployed from is gone. */
  readonly isMissing?: boolean;
}

export function sourceLine(
  source: Source,
  now: number,
  { isRuntimeStopped = false, following, unseen = 0, isMissing = false }: SourceExtras = {},
): Line {
  const kind = kindOf(source);
  const state = stateOf(source, unseen);
  const dev =
    following === undefined
      ? undefined
      : following === 'broken'
        ? 'dev mode: broken save'
        : 'dev mode';
  const missing = isMissing ? 'file missing' : undefined;
  const description = [missing, dev, describe(source, state, now, unseen)]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    label: source.name,
    description,
    icon: isMissing ? 'warning' : (stateIcons[state] ?? icons[kind]),
    ...colourOf(state, isMissing, isRuntimeStopped),
    contextValue: tokens(
      'source',
      source.active ? 'active' : 'inactive',
      kind,
      state === 'running' ? 'running' : undefined,
      source.path === null ? undefined : isMissing ? 'missing' : 'file',
      unseen > 0 ? 'unseen' : undefined,
    ),
    accessible: `${source.name}, source, ${state}, ${description}`,
  };
}

function colourOf(
  state: EmitterState,
  isMissing: boolean,
  isRuntimeStopped: boolean,
): { readonly colour?: string } {
  if (isMissing) return { colour: stateColours.paused };
  if (state === 'running') return {};
  return { colour: isRuntimeStopped ? stateColours.inactive : stateColours[state] };
}

type Kind = 'http' | 'webhook' | 'timer' | 'manual';

const icons: Record<Kind, string> = {
  http: 'globe',
  webhook: 'globe',
  timer: 'clock',
  manual: 'play-circle',
};

function kindOf(source: Source): Kind {
  if (source.endpoint_url !== null) return 'http';
  if (source.webhook !== undefined) return 'webhook';
  const timer = source.configurable_props.some((prop) => prop.type === '$.interface.timer');
  return timer ? 'timer' : 'manual';
}

/**
 * Whether somebody should look at it: it is active, and its last run failed, or one that nobody has looked at.
 * @param unseen failed runs that nobody has looked at
 */
export function isFailing(source: Source, unseen: number): boolean {
  return stateOf(source, unseen) === 'failed';
}

/** Whether its last run failed. */
export function lastFailed({ last_invocation: last }: Source): boolean {
  return last !== null && hasFailed(last);
}

function stateOf(source: Source, unseen: number): EmitterState {
  if (source.debug?.paused === true) return 'paused';
  if (!source.active) return 'inactive';
  const last = source.last_invocation;
  if (last?.status === 'running') return 'running';
  return lastFailed(source) || unseen > 0 ? 'failed' : 'active';
}

function describe(source: Source, state: EmitterState, now: number, unseen: number): string {
  if (state === 'inactive' || state === 'paused') return state;
  const failed = unseen > 0 ? `${unseen} failed` : undefined;
  if (state === 'failed' && lastFailed(source) && unseen < 2) {
    const at = source.last_invocation?.ended_at;
    return at === null || at === undefined ? 'failed' : `failed ${relativeTime(at, now)}`;
  }
  const last = source.last_invocation;
  const ran =
    last === null ? undefined : `ran ${relativeTime(last.ended_at ?? last.created_at, now)}`;
  // The changing part comes first, because a narrow side bar cuts off the rest.
  return [failed, state === 'running' ? 'running' : ran, triggerOf(source, now)]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** Of an endpoint only the path, because its host is always this machine. */
function triggerOf(source: Source, now: number): string {
  if (source.endpoint_url !== null) return new URL(source.endpoint_url).pathname;
  if (source.webhook !== undefined) return webhookOf(source.webhook);
  if (source.next_tick_at !== null) return `next run ${relativeTime(source.next_tick_at, now)}`;
  return 'run by hand';
}

/** A reason why no events arrive comes before the address where they arrive. */
function webhookOf({
  url,
  has_secret: hasSecret,
  secret_name: secret,
}: NonNullable<Source['webhook']>): string {
  if (url === null) return 'needs an account';
  return hasSecret ? new URL(url).pathname : `needs the ${secret}`;
}
