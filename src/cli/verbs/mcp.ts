import type { Readable, Writable } from 'node:stream';
import { collect, positiveInteger } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import { loadMcp } from '../mcp-bundle.ts';
import { ensureRuntime } from '../runtime-for-this.ts';

interface McpFlags {
  readonly readOnly?: boolean;
  readonly allow?: readonly string[];
  readonly perMinute: number;
}

export const mcp: Verb = (program, cli) => {
  program
    .command('mcp')
    .description(
      'Serve agents over stdin and stdout (Model Context Protocol); starts a runtime when one is first needed',
    )
    .option('--read-only', 'offer only tools that change and run nothing')
    .option('--allow <tool>', 'offer only this tool; repeat it for more', collect)
    .option('--per-minute <count>', 'most calls in a minute', positiveInteger, 120)
    .action(async (flags: McpFlags, command) => {
      await cli.run(command, async ({ io, dataFolder, interrupted }) => {
        await loadMcp().serveMcp({
          dataFolder,
          ensureRuntime: () => ensureRuntime(dataFolder),
          stdin: io.stdin as Readable,
          stdout: io.stdout as Writable,
          readOnly: flags.readOnly === true,
          allowed: flags.allow ?? [],
          perMinute: flags.perMinute,
          signal: interrupted,
        });
      });
    });
};
