import type { Source } from '../../protocol/catalogue.ts';
import { relativeTime } from './relative-time.ts';

/** How one source looks in the tree, as data: icon ids are codicons, colours theme colours. */
export interface Line {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly colour?: string;
  /** Tokens framed by `;`, matched by the manifest's `when` clauses. */
  readonly contextValue: string;
  /** Read out where the state is only drawn. */
  readonly accessible: string;
}

export function sourceLine(source: Source, now: number): Line {
  const kind = source.endpoint_url === null ? timerKind(source) : 'http';
  const state = stateOf(source);
  const description = describe(source, state, now);
  return {
    label: source.name,
    description,
    icon: state === 'running' ? 'loading~spin' : state === 'failed' ? 'error' : icons[kind],
    ...(state === 'running' ? {} : { colour: colours[state] }),
    contextValue: tokens('source', source.active ? 'active' : 'inactive', kind, fileToken(source)),
    accessible: `${source.name}, source, ${state}, ${description}`,
  };
}

/** `;a;b;` so that `/;a;/` matches a whole word. */
export function tokens(...words: (string | undefined)[]): string {
  return `;${words.filter((word) => word !== undefined).join(';')};`;
}

type Kind = 'http' | 'timer' | 'manual';
type State = 'active' | 'inactive' | 'running' | 'failed';

const icons: Record<Kind, string> = { http: 'globe', timer: 'clock', manual: 'play-circle' };
const colours: Record<Exclude<State, 'running'>, string> = {
  active: 'testing.iconPassed',
  inactive: 'disabledForeground',
  failed: 'testing.iconFailed',
};

function timerKind(source: Source): Kind {
  const timer = source.configurable_props.some((prop) => prop.type === '$.interface.timer');
  return timer ? 'timer' : 'manual';
}

function stateOf(source: Source): State {
  if (!source.active) return 'inactive';
  const last = source.last_invocation;
  if (last?.status === 'running') return 'running';
  return last?.status === 'failed' || last?.status === 'crashed' ? 'failed' : 'active';
}

function describe(source: Source, state: State, now: number): string {
  if (state === 'inactive') return 'inactive';
  if (state === 'failed') {
    const at = source.last_invocation?.ended_at;
    return at === null || at === undefined ? 'failed' : `failed ${relativeTime(at, now)}`;
  }
  if (source.endpoint_url !== null) return source.endpoint_url.replace(/^https?:\/\//, '');
  if (source.next_tick_at !== null) return `next run ${relativeTime(source.next_tick_at, now)}`;
  return 'run by hand';
}

function fileToken(source: Source): string | undefined {
  return source.path === null ? undefined : 'file';
}
