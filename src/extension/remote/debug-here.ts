import type { CallOptions } from '../../client/connection.ts';
import type { Source } from '../../protocol/catalogue.ts';
import { eventOf } from '../../protocol/event-of-trigger.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Values } from '../../webview/prop-form/messages.ts';
import type { CommandContext } from '../commands/context.ts';
import { inspectVisibly } from '../component-files/inspect-visibly.ts';
import type { Folder } from '../connection/folder.ts';
import { dryRun } from '../debug/dry-run.ts';
import { chooseInput, type Input } from '../debug/run-choice.ts';
import { isMissing, propsTask } from '../forms/source-tasks.ts';

/**
 * Debugs a source of a runtime on another machine on this one, because a debugger attaches to processes of this machine only: its
 * file runs dry, with an event that is stored there. The window uses the local runtime from then on.
 * @param given what it runs with; asked for without it
 */
export async function debugHere(
  context: CommandContext,
  folder: Folder,
  source: Source,
  file: string,
  given?: Input,
): Promise<void> {
  const remote = folder.remote ?? '';
  const client = await folder.link.ready();
  const { id, name } = source;
  const title = `${name} runs on ${remote}, where no debugger attaches. Debug it here, in a dry run with:`;
  const { data: runs } = await client.call('invocations.list', { id, limit: 30 });
  const known = { runs, sample: undefined };
  const input = given ?? (await chooseInput(title, folder, known, context.clock.now()));
  if (input === undefined) return;
  const event = await eventFor(folder, source, input);
  const local = await context.folders.use(folder, undefined);
  const definition = await inspectVisibly(context, local, file);
  const go = (props: Values, form?: Required<CallOptions>): Promise<void> =>
    dryRun(context, { folder: local, name, file, props }, { event }, true, form);
  const props = plainValues(source.configured_props);
  if (definition.configurable_props.some((prop) => isMissing(prop, props))) {
    context.forms.open(propsTask(context.tasks, local, file, definition, 'Debug', go));
  } else await go(props);
}

/** The trigger of a run, with its body as received beside the parsed one, as sources read it. */
async function eventFor(folder: Folder, { id }: Source, input: Input): Promise<unknown> {
  if ('event' in input) return input.event;
  const client = await folder.link.ready();
  const { trigger } = await client.call('invocations.get', { id, ...input });
  if (trigger === null) {
    throw new WeirError('conflict', 'What triggered this run is not kept: choose another one.');
  }
  const event = eventOf(trigger);
  return trigger.kind === 'http' ? { ...(event as object), bodyRaw: trigger.body } : event;
}

/** Without accounts and secrets: those are on the other machine, and are asked for where they are needed. */
function plainValues(configured: Values): Values {
  return Object.fromEntries(
    Object.entries(configured).filter(
      ([, value]) => typeof value !== 'object' || Array.isArray(value),
    ),
  );
}
