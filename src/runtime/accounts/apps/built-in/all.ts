import type { WrittenDefinition } from '../schema.ts';
import { atlassian } from './atlassian.ts';
import { business } from './business.ts';
import { google } from './google.ts';
import { keyApps } from './keys.ts';
import { meta } from './meta.ts';
import { microsoft } from './microsoft.ts';
import { oauth1 } from './oauth1.ts';
import { talk } from './talk.ts';
import { withWebhook } from './webhooks.ts';
import { work } from './work.ts';
import { zoho } from './zoho.ts';

/**
 * The definitions that ship, each with the vendor's documentation that says how it connects; those that were not
 * compared with it while they were written are `unverified`.
 */
export const builtIn: readonly WrittenDefinition[] = [
  ...google,
  ...zoho,
  ...microsoft,
  ...atlassian,
  ...meta,
  ...work,
  ...business,
  ...talk,
  ...oauth1,
  ...keyApps,
].map(withWebhook);
