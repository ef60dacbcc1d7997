/** All actions that are offered: found when they are first asked for, and looked at again when a file changes. */
import { watchFiles } from '../../client/watch-files.ts';
import type { Caller } from '../../client/connection.ts';
import type { AgentOffer } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { type ActionOrigin, findActions } from './find.ts';
import { offeredAction, type OfferedAction, toolName } from './offered.ts';
import { whyNotOffered } from './schema.ts';

export interface ActionSetOptions {
  /** The user's current offers, in order: if two name the same action, the later one counts. */
  readonly offers: () => Promise<readonly AgentOffer[]>;
  /** Whether an offer that names nothing is an error; else it is reported, and the others are offered. */
  readonly isStrict: boolean;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  readonly caller: Caller;
  /** Names that other tools have. */
  readonly taken: ReadonlySet<string>;
  /** Reports an action that cannot be offered, in one sentence. */
  readonly report: (message: string) => void;
  /** The list of tools is another one than before. */
  readonly onChanged: () => void;
}

export interface ActionSet {
  /**
   * Resolves when every action has been looked at; the first call begins that.
   * @throws WeirError `not_found` of a strict set: for a name that there is nothing of, or an action run for real that
   * is not offered
   */
  actions(): Promise<readonly OfferedAction[]>;
  /** Looks again, when it has looked before: an offer, or what is published, is another one. */
  refresh(): void;
  close(): void;
}

/** Each look is a process that bundles and evaluates. */
const atOnce = 3;

export function createActionSet(options: ActionSetOptions): ActionSet {
  const { offers, isStrict, cwd, caller, taken, report, onChanged } = options;
  let current: Promise<readonly OfferedAction[]> | undefined;
  let shown = '';
  const lookAgain = async (): Promise<void> => {
    const before = shown;
    const again = lookAtAll();
    current = again;
    try {
      await again;
    } catch (error) {
      report(messageOf(error));
    }
    if (shown !== before) onChanged();
  };
  const watch = watchFiles(lookAgain);

  async function lookAtAll(): Promise<readonly OfferedAction[]> {
    const all = await offers();
    const found = await Promise.all(all.map((offer) => originsOf(offer)));
    const chosen = lastOfEach(found.flat());
    watch.follow(
      chosen.flatMap(({ origin }) => ('component_path' in origin ? [origin.component_path] : [])),
    );
    const definitions = await inTurn(chosen, atOnce, async ({ origin, offer }) => {
      const definition = await look(origin);
      return definition && { origin, offer, definition };
    });
    const names = new Set<string>();
    const offered = definitions.flatMap((looked) => {
      if (looked === undefined) return [];
      const { origin, offer, definition } = looked;
      const name = toolName(definition, (one) => taken.has(one) || names.has(one));
      names.add(name);
      const accounts = new Map(Object.entries(offer.accounts));
      return [
        offeredAction(
          name,
          origin,
          definition,
          { accounts, isLive: offer.live.includes(name) },
          offer.what,
        ),
      ];
    });
    for (const missing of all.flatMap(({ live }) => live).filter((name) => !names.has(name))) {
      complain(
        `No action "${missing}" is offered, so it cannot be run for real; there are ${[...names].join(', ') || 'none'}.`,
      );
    }
    shown = JSON.stringify(offered.map(({ tool }) => tool));
    return offered;
  }

  async function originsOf(offer: AgentOffer) {
    try {
      const origins = await findActions(offer.what, cwd, caller);
      return origins.map((origin) => ({ origin, offer }));
    } catch (error) {
      if (isStrict || !WeirError.is(error, 'not_found')) throw error;
      report(error.message);
      return [];
    }
  }

  function complain(message: string): void {
    if (isStrict) throw new WeirError('not_found', message);
    report(message);
  }

  async function look(origin: ActionOrigin) {
    const at = 'key' in origin ? origin.key : origin.component_path;
    try {
      const definition = await caller.call('components.inspect', await inspectable(origin));
      const why =
        definition.type === 'action'
          ? whyNotOffered(definition.configurable_props)
          : `it is of type ${definition.type}`;
      if (why === undefined) return definition;
      report(`${at} is not offered: ${why}.`);
    } catch (error) {
      // Without a runtime there is nothing to say about one file.
      if (WeirError.is(error, 'runtime_unavailable')) throw error;
      report(`${at} is not offered: ${messageOf(error)}`);
    }
    return undefined;
  }

  async function inspectable(origin: ActionOrigin) {
    if ('component_path' in origin) return origin;
    return { component_id: (await caller.call('components.get', { id: origin.key })).id };
  }

  return {
    async actions() {
      const looking = (current ??= lookAtAll());
      try {
        return await looking;
      } catch (error) {
        // The next call tries again.
        if (current === looking) current = undefined;
        throw error;
      }
    },
    refresh() {
      if (current !== undefined) void lookAgain();
    },
    close: () => watch.close(),
  };
}

/** The last of each origin. */
function lastOfEach<T extends { readonly origin: ActionOrigin }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [JSON.stringify(one.origin), one])).values()];
}

/** Results in the order of the items, of which a few are worked on at a time. */
async function inTurn<T, R>(
  items: readonly T[],
  workers: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}
