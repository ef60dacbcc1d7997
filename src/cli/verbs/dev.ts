import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createReconnectingClient } from '../../client/reconnecting.ts';
import type { Source } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Change } from '../../protocol/rpc.ts';
import { collect, UsageError, workflowPath } from '../arguments.ts';
import type { Cli, ConnectedTools, Verb } from '../cli.ts';
import { allPages } from '../../client/pages.ts';
import { EarlyLines } from '../lists/early-lines.ts';
import { completeProps, type PropFlags } from '../props/complete.ts';
import type { Renderer } from '../render/renderer.ts';
import { ensureRuntime } from '../runtime-for-this.ts';
import { eventText, logText } from '../views/events.ts';
import { updateErrorText } from '../views/update-error.ts';
import { watchFiles } from '../../client/watch-files.ts';
import { developWorkflow } from '../workflows/dev-workflow.ts';

interface DevFlags extends PropFlags {
  readonly dc?: string;
  readonly promptAll?: boolean;
  readonly inspect?: boolean;
}

const mostSources = 10_000;

export const dev: Verb = (program, cli) => {
  program
    .command('dev <file|folder>')
    .description(
      'Deploy a source or workflow and update it at each save; print its logs and events',
    )
    .option(
      '--dc <source>',
      'the deployed source to update, when the file is deployed more than once',
    )
    .option('--account <prop=apn>', 'connected account for an app prop', collect)
    .option('--prop <k=v>', 'value of a prop; repeat for more props or a list', collect)
    .option('--props <file.json>', 'values of props as one JSON object')
    .option('--prompt-all', 'ask for optional props too')
    .option('--inspect', 'let a debugger attach, also after each update')
    .action((file: string, flags: DevFlags, command) => develop(cli, command, file, flags));
};

/** Until Ctrl-C; what was deployed stays so. */
async function develop(cli: Cli, command: Command, file: string, flags: DevFlags): Promise<void> {
  const { dataFolder, io } = cli.tools(command);
  const workflow = workflowPath(file, io.cwd);
  const { inspect = false, ...others } = flags;
  const [other] = Object.keys(others);
  if (workflow !== undefined && other !== undefined) {
    throw new UsageError(
      `--${kebab(other)} is for sources: a workflow has its values in workflow.yaml.`,
    );
  }
  await ensureRuntime(dataFolder);
  await cli.connected(command, (tools) =>
    workflow === undefined
      ? run(tools, resolve(io.cwd, file), flags)
      : developWorkflow(tools, workflow, inspect),
  );
}

/** A flag as it is typed, of its name in code. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

async function run(tools: ConnectedTools, file: string, flags: DevFlags): Promise<void> {
  const { call, out, dataFolder, interrupted } = tools;
  const code = { component_path: file, ...(flags.inspect === true && { debug: true }) };
  const client = createReconnectingClient({ dataFolder });
  let id: string | undefined;
  const early = new EarlyLines();
  client.onChanges((batch) => {
    for (const change of batch) {
      // A deploy under the debugger waits for it before the source has an answer to give.
      const of = change.type === 'debug' && id === undefined ? change.process.source_id : id;
      if (of !== undefined && of !== null) printChange(change, of, out, early);
    }
  });
  const watch = watchFiles(async () => {
    if (id === undefined) return;
    try {
      await call('sources.update', { id, ...code });
      out.note('Updated.');
    } catch (error) {
      if (!interrupted.aborted) out.note(updateErrorText(error));
    }
    await follow(id);
  });
  const follow = async (source: string): Promise<void> => {
    const { inputs = [] } = await call('sources.get', { id: source, include_code: true });
    watch.follow([...new Set([file, ...inputs])]);
  };
  try {
    await client.connected(interrupted);
    const source = await deployOrUpdate(tools, file, flags, code);
    id = source.id;
    out.item({ type: 'source', source }, () =>
      [
        `${source.name} (${source.id}) follows ${file}.`,
        source.endpoint_url ?? source.webhook?.url ?? '',
      ]
        .filter((line) => line !== '')
        .join('\n'),
    );
    await follow(id);
    if (!interrupted.aborted) await once(interrupted, 'abort');
    out.note(`${source.name} stays deployed.`);
  } catch (error) {
    if (!interrupted.aborted) throw error;
  } finally {
    watch.close();
    client.close();
  }
}

/** Updates the source of the file to the current code, or deploys a new source if there is none. */
async function deployOrUpdate(
  tools: ConnectedTools,
  file: string,
  flags: DevFlags,
  code: { readonly component_path: string; readonly debug?: boolean },
): Promise<Source> {
  const { call } = tools;
  const id = flags.dc ?? (await onlySourceOf(tools, file));
  if (id !== undefined) return call('sources.update', { id, ...code });
  const props = await completeProps(tools, { component_path: file }, flags, 'source');
  return call('sources.deploy', { ...code, configured_props: props });
}

async function onlySourceOf({ call }: ConnectedTools, file: string): Promise<string | undefined> {
  const sources = await allPages((page) => call('sources.list', page), mostSources);
  const [only, another] = sources.filter((source) => source.path === file);
  if (another === undefined) return only?.id;
  throw new WeirError('bad_input', `${file} is deployed more than once; choose one with --dc.`);
}

/** Prints a change when it is a log line, an event or a waiting debugger of the source. */
function printChange(change: Change, sourceId: string, out: Renderer, early: EarlyLines): void {
  if (change.type === 'console' && change.source_id === sourceId) {
    for (const line of early.take(change)) out.item({ type: 'log', line }, () => logText(line));
  }
  if (change.type === 'log' && change.line.source_id === sourceId) {
    if (!early.wasShown(change.line)) out.item(change, () => logText(change.line));
  }
  if (change.type === 'event' && change.event.metadata.emitter_id === sourceId) {
    out.item(change, () => eventText(change.event));
  }
  if (change.type === 'debug' && change.process.source_id === sourceId) {
    const { url, port } = change.process;
    out.item(
      change,
      () =>
        `Debugger listening on ${url}\nChrome: chrome://inspect, with 127.0.0.1:${port} configured. The code waits for it.`,
    );
  }
}
