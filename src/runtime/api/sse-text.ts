/** The text of a server-sent event stream (the WHATWG format, pure). */
export const handshake = ':sse-handshake\n\n';
export const keepAlive = ':keepalive\n\n';

/** A message. A line break within the data would end it, so each line gets its own field. */
export function message(id: string | undefined, data: string, event?: string): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  const mark = id === undefined ? '' : `id: ${id}\n`;
  return `${name}${mark}data: ${data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;
}
