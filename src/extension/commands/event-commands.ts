import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import { eventUri } from '../documents/json-documents.ts';
import { titleOf } from '../views/event-line.ts';
import { isNode, type EventNode } from '../views/nodes.ts';
import type { Command } from './context.ts';
import { pickEvent } from './pick-target.ts';

export const openEvent: Command = async (context, arg) => {
  const target = await pickEvent(context.folders, arg, 'Open Event');
  if (target === undefined) return;
  const uri = eventUri(target.folder, target.event);
  await vscode.window.showTextDocument(uri, { preview: true });
};

/** Two chosen rows, or one and the event its source emitted before it. */
export const compareEvents: Command = async (context, arg, selection) => {
  const chosen = Array.isArray(selection)
    ? selection.filter((node): node is EventNode => isNode(node, 'event'))
    : [];
  const [first, second] = chosen;
  if (chosen.length > 2) throw new WeirError('bad_input', 'Choose two events to compare.');
  if (first !== undefined && second !== undefined) return compare(first, second);
  const target = await pickEvent(context.folders, arg, 'Compare Event with the One Before');
  if (target === undefined) return undefined;
  const { folder, event } = target;
  const all = folder.mirror.events(event.metadata.emitter_id);
  const before = all[all.findIndex((one) => one.id === event.id) + 1];
  if (before === undefined) {
    throw new WeirError('not_found', 'There is no earlier event of this source to compare with.');
  }
  return compare(target, { folder, event: before });
};

type Side = Pick<EventNode, 'folder' | 'event'>;

/** The older on the left, as in every comparison. */
async function compare(a: Side, b: Side): Promise<void> {
  const [older, newer] = a.event.indexed_at_ms <= b.event.indexed_at_ms ? [a, b] : [b, a];
  await vscode.commands.executeCommand(
    'vscode.diff',
    eventUri(older.folder, older.event, 'payload'),
    eventUri(newer.folder, newer.event, 'payload'),
    `${titleOf(older.event)} ↔ ${titleOf(newer.event)}`,
  );
}

export const showAllEvents: Command = (context) => context.events.show();

export const showMoreEvents: Command = (context) => context.events.showMore();
