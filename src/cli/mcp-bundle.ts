import { join } from 'node:path';
import type * as mcp from '../mcp/main.ts';

/** The bundle beside this one: it has the SDK of the protocol and every schema. */
export function loadMcp(): Pick<typeof mcp, 'serveMcp'> {
  return require(join(__dirname, 'mcp.js')) as typeof mcp;
}
