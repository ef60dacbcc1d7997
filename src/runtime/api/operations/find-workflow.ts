import { WeirError } from '../../../protocol/errors.ts';
import type { WorkflowRecord } from '../../store/configuration/workflows.ts';
import type { Store } from '../../store/store.ts';

/** A deployed one by id or name slug. Throws `not_found`. */
export function findWorkflow(store: Pick<Store, 'workflows'>, idOrSlug: string): WorkflowRecord {
  const record = store.workflows.find(idOrSlug);
  if (record !== undefined) return record;
  const tested = store.workflows.findTested(idOrSlug);
  throw new WeirError(
    'not_found',
    tested === undefined
      ? `There is no workflow "${idOrSlug}". List them with "weir list workflows".`
      : `${tested.name} was tested, and is not deployed: deploy ${tested.path} first.`,
  );
}

/** The same, but also finds a workflow that was tested and never deployed. Throws `not_found`. */
export function findTestable(store: Pick<Store, 'workflows'>, idOrSlug: string): WorkflowRecord {
  return store.workflows.findTested(idOrSlug) ?? findWorkflow(store, idOrSlug);
}
