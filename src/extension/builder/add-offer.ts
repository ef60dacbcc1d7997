import { WeirError } from '../../protocol/errors.ts';
import type { Folder } from '../connection/folder.ts';
import { withProgress } from '../notify.ts';

/**
 * Fetches a component of a registry and locks it, after a person has said yes to it.
 * @throws WeirError `cancelled` after a no, and whatever adding it throws
 */
export async function addOffer({ link }: Pick<Folder, 'link'>, reference: string): Promise<void> {
  const client = await link.ready();
  try {
    await withProgress(`Adding ${reference}`, (options) =>
      client.call('components.add', { reference }, options),
    );
  } catch (error) {
    if (!WeirError.is(error, 'trust_needed')) throw error;
    throw new WeirError('cancelled', `${reference} was not added: nobody allowed it to run here.`);
  }
}
