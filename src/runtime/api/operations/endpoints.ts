import { requireEndpointId } from '../../sources/interfaces.ts';
import type { Handlers } from './operations.ts';

export function endpointHandlers({
  newId,
  endpointUrl,
}: {
  readonly newId: (prefix: 'hi_') => string;
  readonly endpointUrl: (interfaceId: string) => string;
}): Pick<Handlers, 'endpoints.reserve'> {
  return {
    'endpoints.reserve': ({ id = newId('hi_') }) => {
      requireEndpointId(id);
      return { id, endpoint_url: endpointUrl(id) };
    },
  };
}
