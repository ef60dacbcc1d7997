import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import { addressOf, compareEvents, eventScheme, eventUri } from '../documents/json-documents.ts';
import { cancelScheduled as cancel } from '../model/scheduled-events.ts';
import { nodesOf } from '../views/nodes.ts';
import { confirm } from './confirm.ts';
import type { Command, CommandContext } from './context.ts';
import { pickEvent, type EventTarget } from './pick-target.ts';

export const openEvent: Command = async (context, arg) => {
  const target = await pickEvent(context, arg, 'Open Event');
  if (target === undefined) return;
  const uri = eventUri(target.folder, target.event);
  await vscode.window.showTextDocument(uri, { preview: true });
};

/** Two selected rows, or one and the event its emitter emitted before it. */
export const compare: Command = async (context, arg, selection) => {
  const chosen = nodesOf(arg, selection, 'event');
  const [first, second] = chosen;
  if (chosen.length > 2) throw new WeirError('bad_input', 'Select two events to compare.');
  if (first !== undefined && second !== undefined) return compareEvents(first, second);
  const target = await pickEvent(context, arg, 'Compare Event with the One Before');
  if (target === undefined) return undefined;
  const { folder, event } = target;
  const all = folder.mirror.events(event.metadata.emitter_id);
  const before = all[all.findIndex((one) => one.id === event.id) + 1];
  if (before === undefined) {
    throw new WeirError('not_found', 'There is no earlier event from this source to compare with.');
  }
  return compareEvents(target, { folder, event: before });
};

/** Everything about an event on one page. */
export const inspectEvent: Command = async (context, arg) => {
  const event = await eventOfDocument(context, arg);
  const target = event ?? (await pickEvent(context, arg, 'Inspect Event'));
  if (target !== undefined) await context.inspector.show(target.folder, target.event);
};

/** From the title of an event's document. */
async function eventOfDocument(
  context: CommandContext,
  arg: unknown,
): Promise<EventTarget | undefined> {
  if (!(arg instanceof vscode.Uri) || arg.scheme !== eventScheme) return undefined;
  const { runtime, emitterId, id } = addressOf(arg);
  const folder = context.folders.withKey(runtime);
  const client = await folder?.link.ready();
  if (folder === undefined || client === undefined) return undefined;
  const event = await client.call('events.get', { id: emitterId, event_id: id });
  return { folder, event };
}

/** Shows only events with certain words; an empty text ends the search. */
export const searchEvents: Command = async (context) => {
  const text = await vscode.window.showInputBox({
    title: 'Search Events',
    prompt:
      'Words of the summary or the payload. All have to match; the last one may be incomplete.',
    placeHolder: 'ada 42',
    value: context.events.searchText,
  });
  if (text === undefined) return;
  await vscode.commands.executeCommand('weir.events.focus');
  await context.events.search(text);
};

export const deleteEvents: Command = async (context, arg, selection) => {
  const chosen = nodesOf(arg, selection, 'event');
  const picked = chosen.length > 0 ? undefined : await pickEvent(context, arg, 'Delete Event');
  const targets = picked === undefined ? chosen : [picked];
  if (targets.length === 0) return;
  const what = targets.length === 1 ? 'this event' : `these ${targets.length} events`;
  const detail = 'Dedupe still remembers their ids, so they are not emitted again.';
  if (!(await confirm(`Delete ${what}?`, detail, 'Delete'))) return;
  for (const { folder, event } of targets) {
    const client = await folder.link.ready();
    await client.call('events.delete', {
      id: event.metadata.emitter_id,
      start_id: event.id,
      end_id: event.id,
    });
  }
};

/** Ends the search as well. */
export const showAllEvents: Command = async (context) => {
  await context.events.search('');
  await context.events.show();
};

export const showNewEvents: Command = (context) => context.events.showNewest();

export const showMoreEvents: Command = (context) => context.events.showMore();

export const hideDropped: Command = (context) => context.events.hideDropped(true);

export const showDropped: Command = (context) => context.events.hideDropped(false);

/** Selected events that wait for their time, or all that wait at a source. */
export const cancelScheduled: Command = async (_context, arg, selection) => {
  const events = nodesOf(arg, selection, 'scheduledEvent');
  const all = events.length > 0 ? [] : nodesOf(arg, selection, 'scheduled');
  const count = events.length + all.reduce((sum, { scheduled }) => sum + scheduled.total, 0);
  if (count === 0) {
    throw new WeirError(
      'bad_input',
      'Choose what is below Scheduled, at a source in the side bar.',
    );
  }
  const what = count === 1 ? 'this event' : `these ${count} events`;
  if (
    !(await confirm(`Cancel ${what}?`, 'What is scheduled is not emitted then.', 'Cancel Events'))
  ) {
    return;
  }
  const cancelled = [
    ...events.map(({ folder, event }) => ({
      folder,
      id: event.metadata.emitter_id,
      eventId: event.id,
    })),
    ...all.map(({ folder, source }) => ({ folder, id: source.id, eventId: undefined })),
  ];
  for (const { folder, id, eventId } of cancelled) {
    await cancel(await folder.link.ready(), id, eventId);
  }
};
