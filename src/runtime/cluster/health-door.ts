/** `/healthz/` of a node that does not lead: of itself, and not of the node that its callers are passed on to. */
import type { Socket } from 'node:net';
import { answerHealth, type Health, isForHealth } from '../server/health.ts';
import { createListener } from '../server/listener.ts';

export interface HealthDoor {
  /** Answers a connection. @returns false when the target of its first request is another */
  take(socket: Socket, target: string): boolean;
}

export function createHealthDoor(health: Health): HealthDoor {
  const http = createListener(undefined);
  // It listens nowhere, and would give its callers all the time in the world without this.
  http.emit('listening');
  http.on('request', (request, response) => {
    // Later requests on the connection may be for the leader.
    response.shouldKeepAlive = false;
    void answerHealth(request.url ?? '/', response, health);
  });
  return {
    take(socket, target) {
      if (!isForHealth(target)) return false;
      http.emit('connection', socket);
      // It was paused when its first bytes were looked at, which are read again now.
      socket.resume();
      return true;
    },
  };
}
