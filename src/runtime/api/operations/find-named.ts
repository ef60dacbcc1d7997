import { WeirError } from '../../../protocol/errors.ts';
import { slugify } from '../../sources/records.ts';

interface Named {
  readonly id: string;
  readonly name: string | null;
}

/**
 * The record with this id, else the only one with this name or the slug of it (P21.11).
 * @param what it is, in a message
 * @throws WeirError `not_found`; `conflict` when several have the name
 */
export function findNamed<T extends Named>(what: string, all: readonly T[], idOrName: string): T {
  const found = lookUpNamed(all, idOrName);
  if (found === undefined) throw new WeirError('not_found', `There is no ${what} ${idOrName}.`);
  return found;
}

/**
 * The same, undefined if there is none.
 * @throws WeirError `conflict` if several have the name
 */
export function lookUpNamed<T extends Named>(all: readonly T[], idOrName: string): T | undefined {
  // It would be the slug of a name without a letter or digit.
  if (idOrName === '') return undefined;
  const byId = all.find(({ id }) => id === idOrName);
  if (byId !== undefined) return byId;
  const found = all.filter(
    ({ name }) => name !== null && (name === idOrName || slugify(name) === idOrName),
  );
  if (found.length < 2) return found[0];
  const ids = found.map(({ id }) => id).join(', ');
  throw new WeirError('conflict', `Several have the name ${idOrName}: give one of ${ids}.`);
}
