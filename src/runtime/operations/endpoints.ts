import { requireEndpointId } from '../lifecycle/interfaces.ts';
import type { Handlers } from './operations.ts';
import type { Room } from './room.ts';

export function endpointHandlers({
  newId,
  endpointUrl,
}: Pick<Room, 'newId' | 'endpointUrl'>): Pick<Handlers, 'endpoints.reserve'> {
  return {
    'endpoints.reserve': ({ id = newId('hi_') }) => {
      requireEndpointId(id);
      return { id, endpoint_url: endpointUrl(id) };
    },
  };
}
