import type { WrittenDefinition } from '../schema.ts';
import { google } from './google.ts';
import { single } from './single.ts';

/**
 * The definitions that ship, each after the vendor's documentation that its `sources` name; those that could
 * not be read again while they were written are `unverified`.
 */
export const builtIn: readonly WrittenDefinition[] = [...google, ...single];
