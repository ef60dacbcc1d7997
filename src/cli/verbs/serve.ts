import { once } from 'node:events';
import { messageOf } from '../../protocol/errors.ts';
import { collect, portNumber } from '../arguments.ts';
import type { Tools, Verb } from '../cli.ts';
import { loadRuntime, type Served } from '../runtime-bundle.ts';

interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly publicUrl?: string;
  readonly redirect?: readonly string[];
  readonly set?: readonly string[];
  readonly verbose?: boolean;
}

export const serve: Verb = (program, cli) => {
  program
    .command('serve')
    .description('Run the runtime in the foreground until SIGINT or SIGTERM')
    .option('--host <address>', 'loopback address to listen on (127.0.0.1)')
    .option('--port <n>', 'port to listen on (the one used last time)', portNumber)
    .option('--public-url <url>', 'base of endpoint URLs for callers on other machines')
    .option(
      '--redirect <host=url>',
      'redirect the requests of components to this host to a URL',
      collect,
    )
    .option('--set <name=value>', 'a setting, such as run.timeoutSeconds=60', collect)
    .option('--verbose', 'print the whole log of the runtime')
    .action(async (flags: ServeFlags, command) => {
      await cli.run(command, async (tools) => await run(tools, flags));
    });
};

async function run(tools: Tools, flags: ServeFlags): Promise<void> {
  const { out, dataFolder, interrupted } = tools;
  const served = await start(tools, flags);
  const { url, pid, version } = served.runtime;
  out.item(
    { url, pid, version, data: dataFolder },
    () => `Weir ${version} serves ${dataFolder} at ${url} (pid ${pid}). Ctrl-C stops it.`,
  );
  if (!interrupted.aborted) await Promise.race([once(interrupted, 'abort'), served.ended]);
  await served.stop();
}

/** Prints warnings and errors of the runtime's log; an error that is thrown is left to the caller. */
async function start({ out, dataFolder }: Tools, flags: ServeFlags): Promise<Served> {
  // Why a start fails is logged and thrown: until it is known which line that is, none is printed.
  let held: string[] | undefined = [];
  const release = (isRepeated: (line: string) => boolean): void => {
    for (const line of held ?? []) if (!isRepeated(line)) out.note(line);
    held = undefined;
  };
  try {
    const served = await loadRuntime().serve({
      data: dataFolder,
      host: flags.host,
      port: flags.port,
      publicUrl: flags.publicUrl,
      redirects: flags.redirect,
      settings: flags.set,
      echo(level, line) {
        if (level === 'error' && held !== undefined) held.push(line);
        else if (flags.verbose === true || level === 'warn' || level === 'error') out.note(line);
      },
    });
    release(() => false);
    return served;
  } catch (error) {
    release((line) => line.endsWith(messageOf(error)));
    throw error;
  }
}
