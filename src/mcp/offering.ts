/** Which tools agents have: those of Weir, and the actions that the user offers; as far as the user allows them. */
import type { Caller } from '../client/connection.ts';
import type { AgentOffer, AgentRules } from '../protocol/catalogue.ts';
import type { Change } from '../protocol/rpc.ts';
import { createActionSet } from './actions/action-set.ts';
import { configureTool } from './actions/configure.ts';
import type { OfferedAction } from './actions/offered.ts';
import { configureName } from './actions/schema.ts';
import { namesAccounts } from './allowed-accounts.ts';
import type { Tool } from './tool.ts';
import { tools as own } from './tools.ts';

export interface OfferingOptions {
  readonly caller: Caller;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Offers to use instead of the runtime's own. */
  readonly offers?: readonly AgentOffer[];
  /** Whether it is an error when one of them names nothing. */
  readonly isStrict?: boolean;
  /** Reports an action that cannot be offered, in one sentence. */
  readonly report: (message: string) => void;
  /** The list of tools may be another one than before. */
  readonly onChanged: () => void;
}

export interface Offering {
  /** The tools that the user's rules allow. */
  tools(): Promise<readonly Tool[]>;
  /** All, whatever the rules say. */
  all(): Promise<readonly Tool[]>;
  actions(): Promise<readonly OfferedAction[]>;
  rules(): Promise<AgentRules>;
  changed(batch: readonly Change[]): void;
  close(): void;
}

const ownNames: ReadonlySet<string> = new Set(own.map(({ name }) => name));

export function createOffering(options: OfferingOptions): Offering {
  const { caller, cwd, offers, isStrict = false, report, onChanged } = options;
  const set = createActionSet({
    offers: async () => offers ?? (await caller.call('agent_offers.list', {})).data,
    isStrict,
    cwd,
    caller,
    taken: new Set([...ownNames, configureName]),
    report,
    onChanged,
  });
  const rules = () => caller.call('agent_rules.get', {});
  const all = async (): Promise<readonly Tool[]> => {
    const actions = await set.actions();
    if (actions.length === 0) return own;
    return [...own, ...actions.map(({ tool }) => tool), configureTool(actions)];
  };
  return {
    all,
    actions: () => set.actions(),
    rules,
    async tools() {
      const [{ tools: allowed, accounts }, offered] = await Promise.all([rules(), all()]);
      return offered.filter(
        ({ name }) =>
          (allowed === null || isAllowed(name, allowed)) &&
          (accounts === null || !namesAccounts.has(name)),
      );
    },
    changed(batch) {
      const isOther = batch.some(({ type }) => type === 'agents');
      if (isOther || batch.some(({ type }) => type === 'published')) set.refresh();
      // The rules leave others of the same tools.
      if (isOther) onChanged();
    },
    close: () => set.close(),
  };
}

/** Whether a tool is named; for an action, also the tool for its options. */
export function isAllowed(name: string, allowed: readonly string[]): boolean {
  if (allowed.includes(name)) return true;
  return name === configureName && allowed.some((one) => !ownNames.has(one));
}

export function isOwn({ name }: Pick<Tool, 'name'>): boolean {
  return ownNames.has(name);
}
