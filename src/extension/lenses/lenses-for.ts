import type { Source } from '../../protocol/catalogue.ts';
import type { Check } from '../checks/component-checks.ts';
import type { ComponentKind } from '../component-file.ts';

/** One lens above a default export. */
export interface Lens {
  readonly title: string;
  readonly tooltip?: string;
  readonly command: string;
  /** A file's path or a source's id. */
  readonly argument: string;
}

export interface ComponentSituation {
  readonly kind: ComponentKind;
  readonly file: string;
  /** Sources that were deployed from the file. */
  readonly deployed: readonly Source[];
  readonly check: Check | undefined;
  /** Events of all of them. */
  readonly events: number;
  /** Ids of sources that follow their file. */
  readonly followed: ReadonlySet<string>;
}

/** What can be done with a component: Update only where it would change something. */
export function lensesFor(situation: ComponentSituation, now: number): Lens[] {
  const { kind, file, deployed } = situation;
  const lens = (title: string, command: string, argument = file, tooltip?: string): Lens => ({
    title,
    command,
    argument,
    ...(tooltip === undefined ? {} : { tooltip }),
  });
  if (kind === 'action') return [lens('Run…', 'weir.runAction'), lens('Debug', 'weir.debug')];
  const [source, another] = deployed;
  if (source === undefined) return [lens('Deploy', 'weir.deploy'), lens('Debug', 'weir.debug')];
  const several = another !== undefined;
  // The commands ask which one, as a file's path names them all.
  const argument = several ? file : source.id;
  const asks = several ? '…' : '';
  const isFollowed = deployed.every(({ id }) => situation.followed.has(id));
  const update = lens(
    `Update${asks}`,
    'weir.update',
    argument,
    'The code differs from what is deployed.',
  );
  const dev = isFollowed
    ? lens('$(sync) Dev mode', 'weir.dev', argument, 'Each save updates it. Click to stop.')
    : lens(`Dev mode${asks}`, 'weir.dev', argument, 'Update it with each save.');
  const run = [
    lens(`Run${asks}`, 'weir.invoke', argument),
    lens(`Debug${asks}`, 'weir.debug', argument),
  ];
  // Three at most that do something: what is changed by hand is not followed yet.
  const actions = isChanged(situation) && !isFollowed ? [update, ...run] : [...run, dev];
  return [...actions, lens(statusOf(situation, now), 'weir.revealSource', argument)];
}

/** Nothing is said to differ before it was looked at. */
function isChanged({ deployed, check }: ComponentSituation): boolean {
  if (check === undefined) return false;
  return (
    check.isBroken ||
    deployed.some(({ code_hash }) => check.hash !== undefined && check.hash !== code_hash)
  );
}

function statusOf({ deployed, events }: ComponentSituation, now: number): string {
  const [source, another] = deployed;
  const counted = events === 1 ? '1 event' : `${events} events`;
  if (source === undefined) return '';
  if (another !== undefined) return `deployed ${deployed.length} times · ${counted}`;
  const state = source.active ? 'deployed' : 'inactive, deployed';
  return `${state} ${inWords(now - source.updated_at * 1000)} · ${counted}`;
}

function inWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return hours === 1 ? '1 hour ago' : `${hours} hours ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}
