import type { SourceRecord } from '../store/configuration/sources.ts';
import type { Endpoint } from '../events/triggers/http/route.ts';

/** The endpoints of a source, by `hi_…` (pure). */
export function httpEndpointsOf({
  id: emitterId,
  interfaces,
  definition,
}: Pick<SourceRecord, 'id' | 'interfaces' | 'definition'>): [id: string, endpoint: Endpoint][] {
  return interfaces.flatMap(({ id, kind, prop }) => {
    if (kind !== 'http') return [];
    const customResponse =
      definition.props.find((one) => one.name === prop)?.customResponse === true;
    return [[id, { emitterId, prop, customResponse }]];
  });
}
