/** The view of agents, its documents and commands: a bundle of its own (scripts/bundles.mts). */
export { createAgentRows } from './agent-rows.ts';
export { changeOffer, dryRunOff, dryRunOn, offerActions, withdrawOffer } from './offer-actions.ts';
export { showActionRun, showAgentCall, revealResult } from './show.ts';
