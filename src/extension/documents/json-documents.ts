import * as vscode from 'vscode';
import type { Delivery, EmittedEvent } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { titleAt } from '../connection/runtime-identity.ts';
import { titleOf } from '../views/event-line.ts';

export const eventScheme = 'weir-event';
const deliveryScheme = 'weir-delivery';

const titleLength = 60;

/** Text of a document that was still open when its folder was removed. */
export const notHere = 'This folder is no longer part of the workspace.\n';

/**
 * Events and deliveries as read-only JSON documents, so that search, folding, comparing and copying
 * work as everywhere. The address names the folder and the ids; the last part of its path, made
 * from the summary, is only the title of the tab.
 */
export class JsonDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #folders: Folders;
  readonly #disposables: vscode.Disposable;

  constructor(folders: Folders) {
    this.#folders = folders;
    this.#disposables = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(eventScheme, this),
      vscode.workspace.registerTextDocumentContentProvider(deliveryScheme, this),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { runtime, emitterId, id, query } = addressOf(uri);
    // Another runtime may have something else under the same id.
    const folder = this.#folders.withKey(runtime);
    if (folder === undefined) return notHere;
    const client = await folder.link.ready();
    if (uri.scheme === deliveryScheme) {
      return pretty(await client.call('deliveries.get', { id }));
    }
    const event = await client.call('events.get', { id: emitterId, event_id: id });
    return pretty(query.has('payload') ? event.event : shownEvent(event));
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** The resource that the address of one of our documents names. */
export function addressOf(uri: vscode.Uri): {
  /** Key of the runtime. */
  readonly runtime: string;
  /** Empty for a delivery. */
  readonly emitterId: string;
  /** Id of the event or the delivery. */
  readonly id: string;
  readonly query: URLSearchParams;
} {
  const query = new URLSearchParams(uri.query);
  const get = (name: string): string => query.get(name) ?? '';
  return { runtime: get('folder'), emitterId: get('emitter'), id: get('id'), query };
}

/** @param part only the payload, for comparing two events */
export function eventUri(folder: Folder, event: EmittedEvent, part?: 'payload'): vscode.Uri {
  const query = new URLSearchParams({
    folder: folder.key,
    emitter: event.metadata.emitter_id,
    id: event.id,
    ...(part === undefined ? {} : { payload: '' }),
  });
  return uriOf(eventScheme, folder, titleOf(event), query);
}

export function deliveryUri(folder: Folder, delivery: Delivery): vscode.Uri {
  const query = new URLSearchParams({ folder: folder.key, id: delivery.id });
  return uriOf(deliveryScheme, folder, `Delivery ${delivery.id}`, query);
}

interface FolderEvent {
  readonly folder: Folder;
  readonly event: EmittedEvent;
}

/** Shows the payloads of two events side by side, the older on the left. */
export async function compareEvents(a: FolderEvent, b: FolderEvent): Promise<void> {
  const [older, newer] = a.event.indexed_at_ms <= b.event.indexed_at_ms ? [a, b] : [b, a];
  await vscode.commands.executeCommand(
    'vscode.diff',
    eventUri(older.folder, older.event, 'payload'),
    eventUri(newer.folder, newer.event, 'payload'),
    `${titleOf(older.event)} ↔ ${titleOf(newer.event)}`,
  );
}

function uriOf(scheme: string, folder: Folder, title: string, query: URLSearchParams): vscode.Uri {
  // A tab shows what follows the last slash; `:` and the like would be taken for other parts.
  const plain = (text: string): string =>
    text
      .replaceAll(/[^\p{L}\p{N} _.,+()#@-]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const name = plain(title).slice(0, titleLength).trim() || 'event';
  const file = `${titleAt({ remote: folder.remote && plain(folder.remote) }, name)}.json`;
  return vscode.Uri.from({ scheme, path: `/${file}`, query: query.toString() });
}

/** The payload first: it is what one looks for. */
function shownEvent(event: EmittedEvent): unknown {
  const { event: payload, metadata, indexed_at_ms: at, ...rest } = event;
  return { event: payload, metadata, emitted_at: new Date(at).toISOString(), ...rest };
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
