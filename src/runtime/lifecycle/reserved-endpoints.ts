/**
 * Endpoints that were told before their source is deployed, so that a person can give the URL to a
 * third party first (our decision). Nothing is stored: whoever was told an id brings it along.
 */
import { WeirError } from '../../protocol/errors.ts';
import type { InterfaceRecord, SourceRecord } from '../store/configuration/sources.ts';

/** As `newId('hi_')` draws it: a name of the client's own could be guessed. */
const drawn = /^hi_[0-9A-Za-z]{7}$/;

/** Throws `bad_input`. */
export function requireEndpointId(id: string): void {
  if (drawn.test(id)) return;
  throw new WeirError('bad_input', `"${id}" is no id of an endpoint, such as hi_x7Kq2Pz.`);
}

/**
 * The interfaces that a deploy takes over.
 *
 * @param endpoints id of the endpoint by prop
 * @throws WeirError `bad_input` for what is no id, `conflict` for one that another source has
 */
export function reservedInterfaces(
  endpoints: Readonly<Record<string, string>>,
  sources: readonly Pick<SourceRecord, 'name' | 'interfaces'>[],
): InterfaceRecord[] {
  return Object.entries(endpoints).map(([prop, id]) => {
    requireEndpointId(id);
    const owner = sources.find(({ interfaces }) => interfaces.some((one) => one.id === id));
    if (owner === undefined) return { id, prop, kind: 'http' };
    throw new WeirError('conflict', `The endpoint ${id} belongs to ${owner.name} already.`);
  });
}
