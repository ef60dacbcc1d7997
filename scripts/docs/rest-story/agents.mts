import type { Chapter } from './story.mts';

export const agents: Chapter = {
  title: 'Agents',
  text: 'What agents are offered and allowed, at `/mcp` and with `weir mcp` ([agents](agents.md)). Offers and rules are changed by keys with the scope `admin` only.',
  async tell({ show }) {
    const what = 'post-message';
    await show('Offer an action to agents', 'agent_offers.put', { what, accounts: {}, live: [] });
    await show('List what agents are offered', 'agent_offers.list', {});
    await show('Look at the actions that are offered', 'agent_offers.describe', {});
    await show('Offer an action no longer', 'agent_offers.delete', { what });
    await show('See what agents are allowed', 'agent_rules.get', {});
    await show('Allow agents less', 'agent_rules.set', { per_minute: 60 });
    await show('See what agents asked for', 'agent_calls.list', { limit: 10 });
  },
};
