import type { AgentOffer, AgentOfferTable } from '../configuration/agent-offers.ts';
import { agentOffers } from '../schema/configuration.ts';
import type { TableEngine } from './engine.ts';
import { KeyedRecords } from './records.ts';

export interface AgentOffers extends AgentOfferTable {
  reread: KeyedRecords<AgentOffer>['reread'];
}

export async function createAgentOffers(engine: TableEngine): Promise<AgentOffers> {
  const offers = await KeyedRecords.load(engine, agentOffers, 'what');
  return {
    reread: () => offers.reread(),
    all: () => offers.all(),
    put: (offer) => engine.write((change) => offers.put(change, offer)),
    delete: (what) => engine.write((change) => offers.delete(change, what)),
  };
}
