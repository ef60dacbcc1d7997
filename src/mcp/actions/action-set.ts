/** All actions that are offered: found when they are first asked for, and looked at again when a file changes. */
import { watchFiles } from '../../client/watch-files.ts';
import type { Caller } from '../../client/connection.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Tool } from '../tool.ts';
import { configureTool } from './configure.ts';
import { type ActionOrigin, findActions } from './find.ts';
import { type ActionRules, offeredAction, type OfferedAction, toolName } from './offered.ts';
import { whyNotOffered } from './schema.ts';

export interface ActionSetOptions {
  /** As `--actions` gave them. */
  readonly named: readonly string[];
  readonly cwd: string;
  readonly caller: Caller;
  readonly rules: ActionRules;
  /** Names that other tools have. */
  readonly taken: ReadonlySet<string>;
  /** Of one action that cannot be offered, in one sentence. */
  readonly report: (message: string) => void;
  /** The list of tools is another one than before. */
  readonly onChanged: () => void;
}

export interface ActionSet {
  /**
   * Resolves when every action has been looked at; the first call begins that.
   * @throws WeirError `not_found` for a name that there is nothing of, or an action run for real that is not offered
   */
  tools(): Promise<readonly Tool[]>;
  close(): void;
}

/** Each look is a process that bundles and evaluates. */
const atOnce = 3;

export function createActionSet(options: ActionSetOptions): ActionSet {
  const { named, cwd, caller, rules, taken, report, onChanged } = options;
  let current: Promise<readonly OfferedAction[]> | undefined;
  let shown = '';
  const watch = watchFiles(async () => {
    const before = shown;
    const again = lookAtAll();
    current = again;
    try {
      await again;
      if (shown !== before) onChanged();
    } catch (error) {
      report(messageOf(error));
    }
  });

  async function lookAtAll(): Promise<readonly OfferedAction[]> {
    const found = await Promise.all(named.map((name) => findActions(name, cwd, caller)));
    const origins = unique(found.flat());
    watch.follow(
      origins.flatMap((origin) => ('component_path' in origin ? [origin.component_path] : [])),
    );
    const definitions = await inTurn(origins, atOnce, (origin) => look(origin));
    const names = new Set<string>();
    const offered = definitions.flatMap((looked) => {
      if (looked === undefined) return [];
      const { origin, definition } = looked;
      const name = toolName(definition, (one) => taken.has(one) || names.has(one));
      names.add(name);
      return [offeredAction(name, origin, definition, rules)];
    });
    const missing = [...rules.live].find((name) => !names.has(name));
    if (missing !== undefined) {
      throw new WeirError(
        'not_found',
        `No action "${missing}" is offered, so it cannot be run for real; there are ${[...names].join(', ') || 'none'}.`,
      );
    }
    shown = JSON.stringify(offered.map(({ tool }) => tool));
    return offered;
  }

  async function look(origin: ActionOrigin) {
    const at = 'key' in origin ? origin.key : origin.component_path;
    try {
      const definition = await caller.call('components.inspect', await inspectable(origin));
      const why =
        definition.type === 'action'
          ? whyNotOffered(definition.configurable_props)
          : `it is of type ${definition.type}`;
      if (why === undefined) return { origin, definition };
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
    async tools() {
      const looking = (current ??= lookAtAll());
      try {
        const offered = await looking;
        return [...offered.map(({ tool }) => tool), configureTool(offered, rules)];
      } catch (error) {
        // The next call tries again.
        if (current === looking) current = undefined;
        throw error;
      }
    },
    close: () => watch.close(),
  };
}

function unique(origins: readonly ActionOrigin[]): ActionOrigin[] {
  return [...new Map(origins.map((origin) => [JSON.stringify(origin), origin])).values()];
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
