import { once } from 'node:events';
import { resolve } from 'node:path';
import { messageOf } from '../../protocol/errors.ts';
import { collect, portNumber, positiveInteger } from '../arguments.ts';
import type { Tools, Verb } from '../cli.ts';
import { loadRuntime, type Served } from '../runtime-bundle.ts';
import { storeUrl } from '../store-url.ts';

interface ServeFlags {
  readonly store?: string;
  readonly lease?: number;
  readonly nodeAddress?: string;
  readonly host?: string;
  readonly allowHost?: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly trustProxy?: string | true;
  readonly plainHttp?: boolean;
  readonly requestLog?: string;
  readonly traces?: string;
  readonly port?: number;
  readonly publicUrl?: string;
  readonly redirect?: readonly string[];
  readonly memory?: string;
  readonly set?: readonly string[];
  readonly verbose?: boolean;
}

export const serve: Verb = (program, cli) => {
  program
    .command('serve')
    .description('Run the runtime in the foreground until SIGINT or SIGTERM')
    .option(
      '--host <address>',
      'address to listen on (127.0.0.1); 0.0.0.0 accepts other machines and needs a key',
    )
    .option(
      '--store <url>',
      'keep everything in this PostgreSQL database, such as postgres://weir@db/weir, and not in the data folder',
    )
    .option(
      '--lease <seconds>',
      'on PostgreSQL: a runtime that is not heard of for so long is replaced (5); the same for all of them',
      positiveInteger,
    )
    .option(
      '--node-address <host:port>',
      'on PostgreSQL: where runtimes on other machines reach this one',
    )
    .option('--port <n>', 'port to listen on (the one used last time)', portNumber)
    .option('--public-url <url>', 'base of endpoint URLs for callers on other machines')
    .option('--allow-host <name>', 'another host name that requests may use', collect)
    .option('--tls-cert <file>', 'certificate chain in PEM; loaded again when it changes')
    .option('--tls-key <file>', 'private key of the certificate in PEM')
    .option(
      '--trust-proxy [addresses]',
      'trust the X-Forwarded headers of these proxies: addresses, networks, private, loopback (loopback)',
    )
    .option('--plain-http', 'accept other machines without TLS, such as within a VPN')
    .option('--request-log <file>', 'write one JSON line for each request; - is standard output')
    .option('--traces <url>', 'send OpenTelemetry traces to this OTLP collector, over HTTP')
    .option(
      '--redirect <host=url>',
      'redirect the requests of components to this host to a URL',
      collect,
    )
    .option(
      '--memory <size>',
      'memory of the server, such as 512mb; decides how many idle component processes stay (that of the machine or container)',
    )
    .option('--set <name=value>', 'change a setting, such as run.timeoutSeconds=60', collect)
    .option('--verbose', 'print the whole log of the runtime')
    .action(async (flags: ServeFlags, command) => {
      await cli.run(command, async (tools) => await run(tools, flags));
    });
};

async function run(tools: Tools, flags: ServeFlags): Promise<void> {
  const { out, dataFolder, interrupted } = tools;
  const served = await start(tools, flags);
  const { url, pid, version } = served.runtime;
  const { outsideUrl } = served;
  const others = outsideUrl === undefined ? '' : `, other machines at ${outsideUrl}`;
  out.item(
    {
      url,
      ...(outsideUrl !== undefined && { outside_url: outsideUrl }),
      pid,
      version,
      data: dataFolder,
    },
    () => `Weir ${version} serves ${dataFolder} at ${url}${others} (pid ${pid}). Ctrl-C stops it.`,
  );
  if (!interrupted.aborted) await Promise.race([once(interrupted, 'abort'), served.ended]);
  await served.stop();
}

/** Prints warnings and errors of the runtime's log; an error that is thrown is left to the caller. */
async function start({ io, out, dataFolder }: Tools, flags: ServeFlags): Promise<Served> {
  // Why a start fails is logged and thrown: until it is known which line that is, none is printed.
  let held: string[] | undefined = [];
  const release = (isRepeated: (line: string) => boolean): void => {
    for (const line of held ?? []) if (!isRepeated(line)) out.note(line);
    held = undefined;
  };
  try {
    const served = await loadRuntime().serve({
      data: dataFolder,
      store: storeUrl(io, flags.store),
      leaseSeconds: flags.lease,
      nodeAddress: flags.nodeAddress,
      host: flags.host,
      port: flags.port,
      publicUrl: flags.publicUrl,
      allowHosts: flags.allowHost,
      tlsCert: flags.tlsCert === undefined ? undefined : resolve(io.cwd, flags.tlsCert),
      tlsKey: flags.tlsKey === undefined ? undefined : resolve(io.cwd, flags.tlsKey),
      trustProxy: flags.trustProxy === true ? 'loopback' : flags.trustProxy,
      plainHttp: flags.plainHttp,
      requestLog:
        flags.requestLog === undefined || flags.requestLog === '-'
          ? flags.requestLog
          : resolve(io.cwd, flags.requestLog),
      traces: flags.traces,
      redirects: flags.redirect,
      settings: flags.set,
      memory: flags.memory,
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
