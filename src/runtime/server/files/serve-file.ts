/** The address of a shared file: GET and HEAD below `/h/file_…`. */
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { SharedFile } from './shared-files.ts';

/** @param get by id; undefined for an unknown id, or one whose time is over */
export async function serveFile(
  get: (id: string) => SharedFile | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  const id = /^\/h\/(\w+)/.exec(request.url ?? '')?.[1] ?? '';
  const file = request.method === 'GET' || request.method === 'HEAD' ? get(id) : undefined;
  const handle = file === undefined ? undefined : await open(file.path).catch(() => undefined);
  if (file === undefined || handle === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end('There is no file at this address; a file can be fetched for 30 minutes.\n');
    return;
  }
  const { size } = await handle.stat();
  response.writeHead(200, {
    'content-type': file.contentType,
    'content-length': size,
    // It comes from strangers: a browser saves it and runs nothing of it.
    'content-disposition': `attachment; filename*=UTF-8''${filenameText(file.filename)}`,
    'x-content-type-options': 'nosniff',
  });
  if (request.method === 'HEAD' || size === 0) {
    await handle.close();
    response.end();
    return;
  }
  // A caller that goes away ends the stream, and nobody is left to tell.
  pipeline(handle.createReadStream({ end: size - 1 }), response, () => undefined);
}

/** Components name files as they like, with half a character too, which has no UTF-8. */
function filenameText(filename: string): string {
  return encodeURIComponent(filename.toWellFormed());
}
