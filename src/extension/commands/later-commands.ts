/** Commands whose code is loaded when one of them is first run, so that a window that starts does not read it. */
import type { Command } from './context.ts';

const loadSeldomRun = () => import('./seldom-run.ts');
const loadGoingBack = () => import('../workflows/going-back.ts');
const loadRegistry = () => import('../registry/registry.ts');
const loadAgents = () => import('../agents/agents.ts');
const loadRequests = () => import('./request-commands.ts');
const loadRemote = () => import('../remote/remote.ts');

function later<N extends string>(
  load: () => Promise<Readonly<Record<N, Command>>>,
  name: N,
): Command {
  return async (context, ...args) => (await load())[name](context, ...args);
}

export const addAccount = later(loadSeldomRun, 'addAccount');
export const connectAccount = later(loadSeldomRun, 'connectAccount');
export const enterSigningSecret = later(loadSeldomRun, 'enterSigningSecret');
export const renameAccount = later(loadSeldomRun, 'renameAccount');
export const shareAccount = later(loadSeldomRun, 'shareAccount');
export const goOnConnecting = later(loadSeldomRun, 'goOnConnecting');
export const editAccount = later(loadSeldomRun, 'editAccount');
export const deleteAccount = later(loadSeldomRun, 'deleteAccount');
export const openValue = later(loadSeldomRun, 'openValue');
export const addValue = later(loadSeldomRun, 'addValue');
export const deleteValues = later(loadSeldomRun, 'deleteValues');
export const deleteAllValues = later(loadSeldomRun, 'deleteAllValues');
export const createDataStore = later(loadSeldomRun, 'createDataStore');
export const deleteDataStore = later(loadSeldomRun, 'deleteDataStore');
export const showMoreValues = later(loadSeldomRun, 'showMoreValues');
export const createSubscription = later(loadSeldomRun, 'createSubscription');
export const createWebhook = later(loadSeldomRun, 'createWebhook');
export const deleteSubscription = later(loadSeldomRun, 'deleteSubscription');
export const deleteWebhook = later(loadSeldomRun, 'deleteWebhook');
export const redeliver = later(loadSeldomRun, 'redeliver');
export const rotateSecret = later(loadSeldomRun, 'rotateSecret');
export const showDelivery = later(loadSeldomRun, 'showDelivery');
export const collectDiagnostics = later(loadSeldomRun, 'collectDiagnostics');
export const skipPause = later(loadGoingBack, 'skipPause');
export const runStep = later(loadGoingBack, 'runStep');
export const runFromStep = later(loadGoingBack, 'runFromStep');
export const runFromStepWith = later(loadGoingBack, 'runFromStepWith');
export const pinStep = later(loadGoingBack, 'pinStep');
export const managePins = later(loadGoingBack, 'managePins');
export const removePins = later(loadGoingBack, 'removePins');
export const retryFailed = later(loadGoingBack, 'retryFailed');
export const replayOnFiles = later(loadGoingBack, 'replayOnFiles');
export const cancelAllExecutions = later(loadGoingBack, 'cancelAllExecutions');
export const connectToRuntime = later(loadRemote, 'connectToRuntime');
export const switchRuntime = later(loadRemote, 'switchRuntime');
export const deployToRuntimes = later(loadRemote, 'deployToRuntimes');
export const composeRequest = later(loadRequests, 'composeRequest');
export const saveRequest = later(loadRequests, 'saveRequest');
export const sendRequestCommand = later(loadRequests, 'sendRequestCommand');
export const sendAgain = later(loadRequests, 'sendAgain');
export const browseComponents = later(loadRegistry, 'browseComponents');
export const addRegistry = later(loadRegistry, 'addRegistry');
export const reviewComponent = later(loadRegistry, 'reviewComponent');
export const updateComponent = later(loadRegistry, 'updateComponent');
export const ejectComponent = later(loadRegistry, 'ejectComponent');
export const offerActions = later(loadAgents, 'offerActions');
export const changeOffer = later(loadAgents, 'changeOffer');
export const withdrawOffer = later(loadAgents, 'withdrawOffer');
export const dryRunOff = later(loadAgents, 'dryRunOff');
export const dryRunOn = later(loadAgents, 'dryRunOn');
export const revealResult = later(loadAgents, 'showMade');
export const showAgentCall = later(loadAgents, 'showAgentCall');
export const showActionRun = later(loadAgents, 'showActionRun');
