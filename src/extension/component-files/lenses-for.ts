import type { Source } from '../../protocol/catalogue.ts';
import { countOf } from '../count-of.ts';
import type { Check } from './component-checks.ts';
import type { ComponentKind } from './find-component.ts';

/** One lens above a default export. */
export interface Lens {
  readonly title: string;
  readonly tooltip?: string;
  readonly command: string;
  /** A file's path or a source's id. */
  readonly argument: string;
}

export interface ComponentState {
  readonly kind: ComponentKind;
  readonly file: string;
  /** Sources that were deployed from the file. */
  readonly deployed: readonly Source[];
  readonly check: Check | undefined;
  /** How many events all of them have. */
  readonly events: number;
  /** Ids of sources that follow their file. */
  readonly followed: ReadonlySet<string>;
}

/** The actions for a component, and its deployment state. Update is offered only if it would change something. */
export function lensesFor(state: ComponentState, now: number): Lens[] {
  const { kind, file, deployed } = state;
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
  // Given the file's path, the commands ask which source.
  const argument = several ? file : source.id;
  const asks = several ? '…' : '';
  const isFollowed = deployed.every(({ id }) => state.followed.has(id));
  const update = lens(
    `Update${asks}`,
    'weir.update',
    argument,
    'The code differs from what is deployed.',
  );
  const isBehind = isFollowed && state.check?.isBroken === true;
  const dev = isBehind
    ? lens('$(warning) Dev mode: the code before this save serves', 'weir.dev', argument, behindTip)
    : isFollowed
      ? lens('$(sync) Dev mode', 'weir.dev', argument, 'Each save updates it. Click to stop.')
      : lens(`Dev mode${asks}`, 'weir.dev', argument, 'Update it with each save.');
  const run = [
    lens(`Run${asks}`, 'weir.invoke', argument),
    lens(`Debug${asks}`, 'weir.debug', argument),
  ];
  // Three actions at most: Dev mode makes room for Update while there is something to update.
  const actions = isChanged(state) && !isFollowed ? [update, ...run] : [...run, dev];
  // A file that is deployed several times has several endpoints: the command asks.
  const requests = deployed.some(({ endpoint_url: url }) => url !== null)
    ? [
        lens(`Compose Request${asks}`, 'weir.composeRequest', argument, composeTip),
        lens(`Copy as cURL${asks}`, 'weir.copyCurl', argument, curlTip),
      ]
    : deployed.some(({ webhook }) => webhook !== undefined)
      ? [lens(`Copy Webhook Address${asks}`, 'weir.copyEndpoint', argument, webhookTip)]
      : [];
  return [...actions, ...requests, lens(statusOf(state, now), 'weir.revealSource', argument)];
}

const behindTip = 'The file does not compile; Problems says where. Click to stop dev mode.';
const composeTip = 'A request to its endpoint, in a .http file beside it.';
const webhookTip = 'Where its app sends events, to be entered at the app.';
const curlTip = 'Its newest request once more, for a terminal.';

/** Whether the file differs from what is deployed; false as long as it was not checked. */
function isChanged({ deployed, check }: ComponentState): boolean {
  if (check === undefined) return false;
  return (
    check.isBroken ||
    deployed.some(({ code_hash }) => check.hash !== undefined && check.hash !== code_hash)
  );
}

function statusOf({ deployed, events }: ComponentState, now: number): string {
  const [source, another] = deployed;
  const counted = countOf(events, 'event');
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
  if (hours < 24) return `${countOf(hours, 'hour')} ago`;
  return `${countOf(Math.floor(hours / 24), 'day')} ago`;
}
