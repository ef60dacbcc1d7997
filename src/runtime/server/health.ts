/**
 * `/healthz/live` and `/healthz/ready`, for programs that start, stop and route to a server: without a key, under
 * any Host, and past no proxy. So they say no more than a word.
 */
import { statfs } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { sendJson } from './reply.ts';

/** Why requests are better sent elsewhere, or later. */
export type NotReady = 'starting' | 'stopping' | 'store_failed' | 'disk_full';

export type Health = () => NotReady | undefined | Promise<NotReady | undefined>;

const prefix = '/healthz/';

export function isForHealth(url: string): boolean {
  return url.startsWith(prefix);
}

/** @param url begins with `/healthz/` */
export async function answerHealth(
  url: string,
  response: ServerResponse,
  health: Health,
): Promise<void> {
  const what = url.slice(prefix.length).split('?')[0];
  if (what === 'live') {
    sendJson(response, 200, { status: 'live' });
  } else if (what === 'ready') {
    const reason = await health();
    if (reason === undefined) sendJson(response, 200, { status: 'ready' });
    else sendJson(response, 503, { status: 'not_ready', reason }, { 'retry-after': '5' });
  } else {
    sendJson(response, 404, {
      error: 'There is /healthz/live and /healthz/ready.',
      code: 'not_found',
    });
  }
}

/** Anybody may ask as often as they like. */
const lookMs = 1000;

/** Whether the disk of a folder has less than so many bytes left, looked at once a second at most. */
export function diskFullness(
  folder: string,
  freeBytes: number,
  elapsed: () => number,
): () => Promise<boolean> {
  let known: Promise<boolean> | undefined;
  let knownAt = 0;
  return () => {
    const now = elapsed();
    if (known === undefined || now - knownAt >= lookMs) {
      knownAt = now;
      known = statfs(folder).then(
        ({ bavail, bsize }) => bavail * bsize < freeBytes,
        // Some file systems do not say; then the store does, when it cannot write.
        () => false,
      );
    }
    return known;
  };
}
