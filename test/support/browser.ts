/** As a global setup of vitest it unpacks the browser from npm before workers start theirs. */
import { findBrowser } from '../../scripts/editor/browser.mts';

export async function setup(): Promise<void> {
  await findBrowser();
}
