import type { AgentOffer, AgentOfferTable } from '../../configuration/agent-offers.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';

export function createAgentOffers({ db, groups }: Engine): AgentOfferTable {
  const all = () => db.prepare('SELECT * FROM agent_offers ORDER BY row').all(read);
  const offers = new Map(all().map((offer) => [offer.what, offer]));
  return {
    all: () => [...offers.values()],
    put: (offer) =>
      groups.writeAlone(() => {
        db.prepare(
          `INSERT INTO agent_offers (what, accounts, live) VALUES (?, ?, ?)
           ON CONFLICT (what) DO UPDATE SET accounts = excluded.accounts, live = excluded.live`,
        ).run(offer.what, JSON.stringify(offer.accounts), JSON.stringify(offer.live));
        offers.set(offer.what, offer);
      }),
    delete: (what) =>
      groups.writeAlone(() => {
        db.prepare('DELETE FROM agent_offers WHERE what = ?').run(what);
        return offers.delete(what);
      }),
  };
}

function read(row: Row): AgentOffer {
  return {
    what: row.text('what'),
    accounts: row.json('accounts') as AgentOffer['accounts'],
    live: row.json('live') as AgentOffer['live'],
  };
}
