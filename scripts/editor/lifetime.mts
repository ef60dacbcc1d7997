import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../test/support/is-alive.mts';
import type { Editor } from './editor.mts';

/** The suite that leaves a runtime running for it. */
export const lifetimeSuite = 'the runtime';
export const lifetimeTitle = 'a runtime ends after its extension host was killed with -9';

/** In seconds: a runtime ends 20 s after its last client, and a busy machine is slow. */
const limitSeconds = 45;

/**
 * The one test that cannot run inside the extension host, because it kills it.
 * @returns how long the runtime stayed, in ms
 */
export async function runtimeFollowsExtensionHost(
  editor: Editor,
  extensionHost: number,
  runtime: number | null,
): Promise<number> {
  if (runtime === null) throw new Error('No runtime was running at the end of the suite.');
  if (!isAlive(runtime)) throw new Error(`The runtime ${runtime} had ended by itself.`);
  // Without its window, nothing starts the extension host (and a runtime) again.
  await editor.closeWindow();
  const killed = performance.now();
  process.kill(extensionHost, 'SIGKILL');
  while (isAlive(runtime)) {
    if (performance.now() - killed > limitSeconds * 1000) {
      process.kill(runtime, 'SIGKILL');
      throw new Error(`The runtime ${runtime} still ran ${limitSeconds} s later.`);
    }
    await delay(50);
  }
  return Math.round(performance.now() - killed);
}
