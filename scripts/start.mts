import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { styleText } from 'node:util';
import { createReconnectingClient, type ReconnectingClient } from '../src/client/reconnecting.ts';
import { findRuntime } from '../src/client/runtime-file.ts';
import type { Source } from '../src/protocol/catalogue.ts';
import { messageOf } from '../src/protocol/errors.ts';
import type { Change } from '../src/protocol/rpc.ts';
import { allBundles, build } from './bundles.mts';

/**
 * `npm start`: builds Weir, runs it in the terminal with three examples and shows what they do, until
 * Ctrl-C. A runtime that already serves the data folder (an editor's) is used and left running.
 */
const dataFolder = resolve(process.env['WEIR_DATA'] ?? '.weir');
const examples = ['http-inbox', 'tick'] as const;
const workflow = 'order-received';
const colours = { 'http-inbox': 'cyan', tick: 'magenta', [workflow]: 'blue' } as const;
type Example = keyof typeof colours;
const parentCheckMs = 200;

let runtime: ChildProcess | undefined;
let client: ReconnectingClient | undefined;
let isStopping = false;

// Before anything is started: what a signal finds running it has to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Ctrl-C reaches the runtime as well: it is in the same group of processes.
  process.once(signal, () => void stop(0));
}

// npm passes a signal on to its shell, and most shells end without telling what they run.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) void stop(0);
}, parentCheckMs).unref();

try {
  await build({ names: allBundles, outdir: 'dist', production: false, watch: false });
  if ((await findRuntime(dataFolder)) === undefined) await serve();
  client = createReconnectingClient({ dataFolder });
  await client.connected();
  const names = new Map<string, Example>();
  client.onChanges((batch) => {
    for (const change of batch) show(change, names);
  });
  for (const example of examples) {
    const source = await deploy(client, example);
    names.set(source.id, example);
    if (source.endpoint_url === null) continue;
    tryIt(`${source.endpoint_url}/hello`, '{"hello":"weir"}');
  }
  const workflow_path = resolve('examples', workflow);
  const { id, triggers } = await client.call('workflows.deploy', { workflow_path });
  names.set(id, workflow);
  tryIt(triggers[0]?.endpoint_url ?? '', '{"id":7,"items":[{"name":"Tea","price":4.5}]}');
  console.log('Events and logs as they come; Ctrl-C ends.\n');
} catch (error) {
  // A stop ends what is going on, which is not worth a message.
  if (!isStopping) console.error(messageOf(error));
  await stop(1);
}

function tryIt(url: string, body: string): void {
  console.log(`\nTry it:  curl ${url} -H 'content-type: application/json' -d '${body}'\n`);
}

/** Starts the runtime as a child. Resolves when it is ready. */
async function serve(): Promise<void> {
  const args = ['dist/cli.js', 'serve', '--data', dataFolder];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  runtime = child;
  // It can also be stopped from elsewhere.
  child.once('exit', (code) => void stop(code ?? 1));
  child.stdout.pipe(process.stdout);
  // It prints one line, when it is ready.
  await once(child.stdout, 'data');
}

/** Deployed once; the next start brings its code up to date. */
async function deploy(
  caller: ReconnectingClient,
  example: (typeof examples)[number],
): Promise<Source> {
  const component_path = resolve('examples', example, `${example}.ts`);
  const { data } = await caller.call('sources.list', { limit: 100 });
  const known = data.find(({ path }) => path === component_path);
  if (known === undefined) return await caller.call('sources.deploy', { component_path });
  return await caller.call('sources.update', { id: known.id, component_path });
}

function show(change: Change, names: ReadonlyMap<string, Example>): void {
  if (change.type === 'log') {
    line(names.get(change.line.source_id), 'log  ', change.line.text);
  } else if (change.type === 'event') {
    const { event, metadata, dropped } = change.event;
    const payload = JSON.stringify(event);
    const text = [metadata.summary, payload, dropped]
      .filter((part) => part !== undefined && part !== null)
      .join('  ');
    line(names.get(metadata.emitter_id), dropped === null ? 'event' : 'drop ', text);
  }
}

function line(example: Example | undefined, kind: string, text: string): void {
  if (example === undefined) return;
  const name = styleText(colours[example], example.padEnd(14), { stream: process.stdout });
  for (const part of text.trimEnd().split('\n')) console.log(`${name} ${kind} ${part}`);
}

/** Ends the runtime that was started here, and then this process. Only the first call does. */
async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  client?.close();
  if (runtime !== undefined && runtime.exitCode === null && runtime.signalCode === null) {
    runtime.removeAllListeners('exit');
    const ended = once(runtime, 'exit');
    runtime.kill('SIGTERM');
    await ended;
  }
  process.exit(code);
}
