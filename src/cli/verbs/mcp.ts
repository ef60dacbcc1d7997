import type { Readable, Writable } from 'node:stream';
import { accountsByApp, collect, positiveInteger } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import { loadMcp } from '../mcp-bundle.ts';
import { ensureRuntime } from '../runtime-for-this.ts';

interface McpFlags {
  readonly readOnly?: boolean;
  readonly allow?: readonly string[];
  readonly actions?: readonly string[];
  readonly account?: readonly string[];
  readonly live?: readonly string[];
  readonly perMinute?: number;
}

export const mcp: Verb = (program, cli) => {
  program
    .command('mcp')
    .description(
      'Serve agents over stdin and stdout (Model Context Protocol); starts a runtime when one is first needed',
    )
    .option('--read-only', 'offer only tools that change and run nothing')
    .option('--allow <tool>', 'offer only this tool; repeat for more', collect)
    .option(
      '--actions <app|key|file...>',
      'offer these actions as tools, instead of those of Weir; a folder has all actions in it',
    )
    .option('--account <app=apn>', 'account that actions use for an app', collect)
    .option(
      '--live <action>',
      'run this action for real; calls of other actions are dry runs',
      collect,
    )
    .option(
      '--per-minute <count>',
      'maximum number of calls in a minute, within the rules',
      positiveInteger,
    )
    .action(async (flags: McpFlags, command) => {
      await cli.run(command, async ({ io, dataFolder, interrupted }) => {
        await loadMcp().serveMcp({
          dataFolder,
          ensureRuntime: () => ensureRuntime(dataFolder),
          stdin: io.stdin as Readable,
          stdout: io.stdout as Writable,
          stderr: io.stderr as Writable,
          cwd: io.cwd,
          actions: flags.actions ?? [],
          accounts: accountsByApp(flags.account ?? []),
          live: flags.live ?? [],
          readOnly: flags.readOnly === true,
          allowed: flags.allow ?? [],
          ...(flags.perMinute !== undefined && { perMinute: flags.perMinute }),
          signal: interrupted,
        });
      });
    });
};
