/** Runtimes on other machines: a bundle of its own, which most windows never load (scripts/bundles.mts). */
export { debugHere } from './debug-here.ts';
export { deployToRuntimes } from './deploy-to-runtimes.ts';
export { openRemote } from './open-remote.ts';
export { connectToRuntime, switchRuntime } from './runtime-commands.ts';
