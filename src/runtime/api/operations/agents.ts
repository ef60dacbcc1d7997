/** The offers and rules for agents, and their calls. */
import type { ApiServices } from './api-services.ts';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { agentCallsIn, agentsLogFile, oldAgentsLogFile } from '../../../protocol/agents.ts';
import type { AgentRules, Parsed, Result } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { AgentOffer } from '../../store/configuration/agent-offers.ts';
import type { UsesStore } from '../../store/store.ts';
import type { CallContext, Handlers } from './operations.ts';
import type { Services } from '../../events/services.ts';

type AgentHandlers = Pick<
  Handlers,
  | 'agent_offers.list'
  | 'agent_offers.put'
  | 'agent_offers.describe'
  | 'agent_offers.delete'
  | 'agent_rules.get'
  | 'agent_rules.set'
  | 'agent_calls.list'
>;

type OfferRequest = NonNullable<Parsed<'agent_offers.describe'>['offers']>[number];

export interface AgentHandlerParts
  extends
    UsesStore<'agentOffers' | 'settings'>,
    Pick<Services, 'signals'>,
    Pick<ApiServices, 'accounts' | 'dataFolder'> {
  /** Describes the result of offers. Loads the code that serves agents. */
  readonly describeOffers: (
    offers: OfferRequest[],
    context: CallContext,
  ) => Promise<Result<'agent_offers.describe'>>;
}

const rulesSetting = 'agentRules';
const usualRules: AgentRules = { tools: null, accounts: null, per_minute: 120 };

export function agentHandlers(parts: AgentHandlerParts): AgentHandlers {
  const { store, accounts, signals, dataFolder, describeOffers } = parts;
  const rules = (): AgentRules => {
    const kept = store.settings.get(rulesSetting);
    return kept === undefined ? usualRules : { ...usualRules, ...(JSON.parse(kept) as AgentRules) };
  };
  return {
    'agent_offers.list': () => ({ data: store.agentOffers.all().map(shown) }),
    'agent_offers.put': async (offer) => {
      const { what } = offer;
      if (/[\\/]/.test(what) && !isAbsolute(what)) {
        throw new WeirError(
          'bad_input',
          `The path of what is offered must be absolute, not "${what}".`,
        );
      }
      for (const [app, id] of Object.entries(offer.accounts)) {
        if (id === null) continue;
        const account = accounts.get(id);
        if (account.app !== app) {
          throw new WeirError('bad_input', `${id} is an account of ${account.app}, not of ${app}.`);
        }
      }
      await store.agentOffers.put(offer);
      signals.emit('agents');
      return offer;
    },
    'agent_offers.delete': async ({ what }) => {
      if (!(await store.agentOffers.delete(what))) {
        const all = store.agentOffers.all().map((one) => one.what);
        throw new WeirError(
          'not_found',
          `"${what}" is not offered to agents; offered ${all.length === 0 ? 'is nothing' : `are ${all.join(', ')}`}.`,
        );
      }
      signals.emit('agents');
      return {};
    },
    'agent_offers.describe': ({ offers = store.agentOffers.all().map(shown) }, context) =>
      describeOffers(offers, context),
    'agent_rules.get': () => rules(),
    'agent_rules.set': async (changes) => {
      for (const id of changes.accounts ?? []) accounts.get(id);
      const before = rules();
      const { tools = before.tools, accounts: allowed = before.accounts } = changes;
      const changed = {
        tools,
        accounts: allowed,
        per_minute: changes.per_minute ?? before.per_minute,
      };
      await store.settings.set(rulesSetting, JSON.stringify(changed));
      signals.emit('agents');
      return changed;
    },
    'agent_calls.list': async ({ limit }) => {
      const newest = await callsOf(join(dataFolder, agentsLogFile));
      const older = newest.length < limit ? await callsOf(join(dataFolder, oldAgentsLogFile)) : [];
      return { data: [...older, ...newest].slice(-limit).toReversed() };
    },
  };
}

function shown({ what, accounts, live }: AgentOffer) {
  return { what, accounts: { ...accounts }, live: [...live] };
}

async function callsOf(file: string) {
  try {
    return agentCallsIn(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
