import { WeirError } from '../../protocol/errors.ts';
import { slugify } from '../lifecycle/records.ts';

interface Named {
  readonly id: string;
  readonly name: string | null;
}

/**
 * The record with this id, else the only one with this name or the slug of it (P21.11).
 * @param what it is, in a message
 * @param advice follows the message of `not_found`
 * @throws WeirError `not_found`; `conflict` when several have the name
 */
export function findNamed<T extends Named>(
  what: string,
  all: readonly T[],
  idOrName: string,
  advice?: string,
): T {
  const byId = all.find(({ id }) => id === idOrName);
  if (byId !== undefined) return byId;
  const found = all.filter(
    ({ name }) => name !== null && (name === idOrName || slugify(name) === idOrName),
  );
  const [first] = found;
  if (first === undefined) {
    const problem = `There is no ${what} ${idOrName}.`;
    throw new WeirError('not_found', advice === undefined ? problem : `${problem} ${advice}`);
  }
  if (found.length === 1) return first;
  const ids = found.map(({ id }) => id).join(', ');
  throw new WeirError('conflict', `Several have the name ${idOrName}: give one of ${ids}.`);
}
