/** Commands whose code is loaded when one of them is first run, so that a window that starts does not read it. */
import type { Command } from './context.ts';

const loadRareCommands = () => import('./rare-commands.ts');
const loadRerunCommands = () => import('../workflows/rerun-commands.ts');
const loadRegistry = () => import('../registry/registry.ts');
const loadAgents = () => import('../agents/agents.ts');
const loadRequests = () => import('./request-commands.ts');
const loadRemote = () => import('../remote/remote.ts');

/** The editor's help for requests, which comes with the commands for them. */
export const loadRequestTexts = async () => (await loadRequests()).provideRequestTexts;

function later<N extends string>(
  load: () => Promise<Readonly<Record<N, Command>>>,
  name: N,
): Command {
  return async (context, ...args) => (await load())[name](context, ...args);
}

export const addAccount = later(loadRareCommands, 'addAccount');
export const connectAccount = later(loadRareCommands, 'connectAccount');
export const enterSigningSecret = later(loadRareCommands, 'enterSigningSecret');
export const renameAccount = later(loadRareCommands, 'renameAccount');
export const shareAccount = later(loadRareCommands, 'shareAccount');
export const goOnConnecting = later(loadRareCommands, 'goOnConnecting');
export const editAccount = later(loadRareCommands, 'editAccount');
export const deleteAccount = later(loadRareCommands, 'deleteAccount');
export const openValue = later(loadRareCommands, 'openValue');
export const addValue = later(loadRareCommands, 'addValue');
export const deleteValues = later(loadRareCommands, 'deleteValues');
export const deleteAllValues = later(loadRareCommands, 'deleteAllValues');
export const createDataStore = later(loadRareCommands, 'createDataStore');
export const deleteDataStore = later(loadRareCommands, 'deleteDataStore');
export const showMoreValues = later(loadRareCommands, 'showMoreValues');
export const createSubscription = later(loadRareCommands, 'createSubscription');
export const createWebhook = later(loadRareCommands, 'createWebhook');
export const deleteSubscription = later(loadRareCommands, 'deleteSubscription');
export const deleteWebhook = later(loadRareCommands, 'deleteWebhook');
export const redeliver = later(loadRareCommands, 'redeliver');
export const rotateSecret = later(loadRareCommands, 'rotateSecret');
export const showDelivery = later(loadRareCommands, 'showDelivery');
export const newComponent = later(loadRareCommands, 'newComponent');
export const restartRuntime = later(loadRareCommands, 'restartRuntime');
export const stopRuntime = later(loadRareCommands, 'stopRuntime');
export const showOutput = later(loadRareCommands, 'showOutput');
export const collectDiagnostics = later(loadRareCommands, 'collectDiagnostics');
export const skipPause = later(loadRerunCommands, 'skipPause');
export const testWorkflow = later(loadRerunCommands, 'testWorkflow');
export const runStep = later(loadRerunCommands, 'runStep');
export const runFromStep = later(loadRerunCommands, 'runFromStep');
export const runFromStepWith = later(loadRerunCommands, 'runFromStepWith');
export const pinStep = later(loadRerunCommands, 'pinStep');
export const managePins = later(loadRerunCommands, 'managePins');
export const removePins = later(loadRerunCommands, 'removePins');
export const retryFailed = later(loadRerunCommands, 'retryFailed');
export const replayOnFiles = later(loadRerunCommands, 'replayOnFiles');
export const cancelAllExecutions = later(loadRerunCommands, 'cancelAllExecutions');
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
export const revealResult = later(loadAgents, 'revealResult');
export const showAgentCall = later(loadAgents, 'showAgentCall');
export const showActionRun = later(loadAgents, 'showActionRun');
