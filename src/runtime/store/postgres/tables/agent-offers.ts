import type { AgentOffer, AgentOfferTable } from '../../configuration/agent-offers.ts';
import { type Engine, write } from '../engine.ts';
import { json, text } from '../fields.ts';

export interface AgentOffers extends AgentOfferTable {
  /** See `Records.reread`. */
  reread(): Promise<() => void>;
}

export async function createAgentOffers(engine: Engine): Promise<AgentOffers> {
  const offers = new Map<string, AgentOffer>();
  const reread = async () => {
    const rows = await engine.read('SELECT * FROM agent_offers ORDER BY row');
    return (): void => {
      offers.clear();
      for (const row of rows) {
        offers.set(text(row, 'what'), {
          what: text(row, 'what'),
          accounts: json(row, 'accounts') as AgentOffer['accounts'],
          live: json(row, 'live') as AgentOffer['live'],
        });
      }
    };
  };
  (await reread())();
  return {
    reread,
    all: () => [...offers.values()],
    put: (offer) =>
      write(engine, (change) => {
        change.run(
          `INSERT INTO agent_offers (row, what, accounts, live) VALUES ($1, $2, $3, $4)
           ON CONFLICT (what) DO UPDATE SET accounts = excluded.accounts, live = excluded.live`,
          [
            engine.numbers.next(),
            offer.what,
            JSON.stringify(offer.accounts),
            JSON.stringify(offer.live),
          ],
        );
        offers.set(offer.what, offer);
      }),
    delete: (what) =>
      write(engine, (change) => {
        change.run('DELETE FROM agent_offers WHERE what = $1', [what]);
        return offers.delete(what);
      }),
  };
}
