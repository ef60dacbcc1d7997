import * as vscode from 'vscode';
import type { Delivery, EmittedEvent } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { titleOf } from '../views/event-line.ts';

export const eventScheme = 'weir-event';
export const deliveryScheme = 'weir-delivery';

const titleLength = 60;

/**
 * Events and deliveries as read-only JSON documents, so that search, folding, comparing and copying
 * work as everywhere. The address names the folder and the ids; the last part of its path, made
 * from the summary, is only the title of the tab.
 */
export class JsonDocuments implements vscode.TextDocumentContentProvider {
  readonly #folders: Folders;

  constructor(folders: Folders) {
    this.#folders = folders;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { dataFolder, sourceId, eventId: id, query } = eventOf(uri);
    const folder = this.#folders.all.find((one) => one.dataFolder === dataFolder);
    const client = await (folder ?? this.#folders.first).link.ready();
    if (uri.scheme === deliveryScheme) {
      return pretty(await client.call('deliveries.get', { id }));
    }
    const event = await client.call('events.get', { id: sourceId, event_id: id });
    return pretty(query.has('payload') ? event.event : shownEvent(event));
  }
}

/** What a document is of, read back from its address. */
export function eventOf(uri: vscode.Uri) {
  const query = new URLSearchParams(uri.query);
  const asked = (name: string): string => query.get(name) ?? '';
  return { dataFolder: asked('folder'), sourceId: asked('source'), eventId: asked('id'), query };
}

/** @param part only the payload, for comparing two events */
export function eventUri(folder: Folder, event: EmittedEvent, part?: 'payload'): vscode.Uri {
  const query = new URLSearchParams({
    folder: folder.dataFolder,
    source: event.metadata.emitter_id,
    id: event.id,
    ...(part === undefined ? {} : { payload: '' }),
  });
  return uriOf(eventScheme, titleOf(event), query);
}

export function deliveryUri(folder: Folder, delivery: Delivery): vscode.Uri {
  const query = new URLSearchParams({ folder: folder.dataFolder, id: delivery.id });
  return uriOf(deliveryScheme, `Delivery ${delivery.id}`, query);
}

function uriOf(scheme: string, title: string, query: URLSearchParams): vscode.Uri {
  // A tab shows what follows the last slash; `:` and the like would be taken for other parts.
  const name = title
    .replaceAll(/[^\p{L}\p{N} _.,+()#@-]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const file = `${name.slice(0, titleLength).trim() || 'event'}.json`;
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
