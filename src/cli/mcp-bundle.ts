import { join } from 'node:path';
import type { serveMcp } from '../mcp/main.ts';

/** The bundle beside this one: it has the SDK of the protocol and every schema. */
export function loadMcp(): { readonly serveMcp: typeof serveMcp } {
  return require(join(__dirname, 'mcp.js')) as { readonly serveMcp: typeof serveMcp };
}
