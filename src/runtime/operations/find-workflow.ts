import { WeirError } from '../../protocol/errors.ts';
import type { WorkflowRecord } from '../store/configuration/workflows.ts';
import type { Store } from '../store/store.ts';

/** By id or name slug. Throws `not_found`. */
export function findWorkflow(store: Pick<Store, 'workflows'>, idOrSlug: string): WorkflowRecord {
  const record = store.workflows.find(idOrSlug);
  if (record !== undefined) return record;
  throw new WeirError(
    'not_found',
    `There is no workflow "${idOrSlug}". List them with "weir list workflows".`,
  );
}
