import * as vscode from 'vscode';
import { titleOf } from '../views/event-line.ts';
import type { EventNode } from '../views/nodes.ts';
import { eventUri } from './json-documents.ts';

type Side = Pick<EventNode, 'folder' | 'event'>;

/** The older on the left, as in every comparison. */
export async function compare(a: Side, b: Side): Promise<void> {
  const [older, newer] = a.event.indexed_at_ms <= b.event.indexed_at_ms ? [a, b] : [b, a];
  await vscode.commands.executeCommand(
    'vscode.diff',
    eventUri(older.folder, older.event, 'payload'),
    eventUri(newer.folder, newer.event, 'payload'),
    `${titleOf(older.event)} ↔ ${titleOf(newer.event)}`,
  );
}
