import { once } from 'node:events';
import { collect, portNumber } from '../arguments.ts';
import type { Tools, Verb } from '../cli.ts';
import { loadRuntime } from '../runtime-bundle.ts';

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

async function run({ out, dataFolder, interrupted }: Tools, flags: ServeFlags): Promise<void> {
  const served = await loadRuntime().serve({
    data: dataFolder,
    host: flags.host,
    port: flags.port,
    publicUrl: flags.publicUrl,
    redirects: flags.redirect,
    settings: flags.set,
    echo(level, line) {
      if (flags.verbose === true || level === 'warn' || level === 'error') out.note(line);
    },
  });
  const { url, pid, version } = served.runtime;
  out.item(
    { url, pid, version, data: dataFolder },
    () => `Weir ${version} serves ${dataFolder} at ${url} (pid ${pid}). Ctrl-C stops it.`,
  );
  if (!interrupted.aborted) await Promise.race([once(interrupted, 'abort'), served.ended]);
  await served.stop();
}
