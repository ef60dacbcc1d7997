import type { WrittenDefinition } from '../schema.ts';
import { google } from './google.ts';
import { microsoft } from './microsoft.ts';
import { plain } from './plain.ts';
import { single } from './single.ts';

/**
 * The definitions that ship, each with the vendor's documentation that says how it connects; those that were not
 * compared with it while they were written are `unverified`.
 */
export const builtIn: readonly WrittenDefinition[] = [...google, ...microsoft, ...single, ...plain];
