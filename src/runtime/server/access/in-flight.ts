/** Requests of named keys that have no complete answer yet: they end with their key (P26.3). */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { sendError } from '../reply.ts';
import { type Caller, keyRemoved } from './caller.ts';

export interface InFlight {
  add(caller: Caller, response: ServerResponse): void;
  /** Refuses requests of the caller that are not answered yet, and closes their connections. */
  end(caller: Caller): void;
}

/** A stream says why it ends, and a refusal is sent, within this time; then the connection is cut. In ms. */
const graceMs = 2000;

export function createInFlight(clock: Pick<Clock, 'after'>): InFlight {
  const open = new Map<Caller, Set<ServerResponse>>();
  return {
    add(caller, response) {
      if (caller.removed === undefined) return;
      const own = open.get(caller) ?? new Set();
      open.set(caller, own.add(response));
      response.once('close', () => {
        own.delete(response);
        if (own.size === 0 && open.get(caller) === own) open.delete(caller);
      });
    },
    end(caller) {
      for (const response of open.get(caller) ?? []) {
        const { socket } = response;
        if (!response.headersSent) {
          response.setHeader('connection', 'close');
          response.once('finish', () => socket?.destroySoon());
          sendError(response, keyRemoved(caller));
        }
        const cancel = clock.after(graceMs, () => socket?.destroy());
        response.once('close', cancel);
      }
    },
  };
}
