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
 * The built-in definitions, each with the vendor's documentation of how it connects; definitions that were not compared
 * with it when written are `unverified`.
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
