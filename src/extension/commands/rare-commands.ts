/** Commands that few windows run: a bundle of its own (scripts/bundles.mts). */
export { deleteAccount, editAccount, renameAccount, shareAccount } from './account-commands.ts';
export { addAccount } from './add-account.ts';
export { collectDiagnostics } from './collect-diagnostics.ts';
export { connectAccount } from './connect-account.ts';
export { goOnConnecting } from './follow-connection.ts';
export {
  createSubscription,
  createWebhook,
  deleteSubscription,
  deleteWebhook,
  redeliver,
  rotateSecret,
  showDelivery,
} from './listener-commands.ts';
export { enterSigningSecret } from './signing-secret.ts';
export {
  addValue,
  createDataStore,
  deleteAllValues,
  deleteDataStore,
  deleteValues,
  openValue,
  showMoreValues,
} from './value-commands.ts';
export { newComponent, restartRuntime, showOutput, stopRuntime } from './workspace-commands.ts';
