/** Finds an emitter: a source or a workflow, wherever either may be named. */
import { WeirError } from '../../../protocol/errors.ts';
import type { Store } from '../../store/store.ts';
import { deployedSource } from './show-source.ts';

export type EmitterStore = Pick<Store, 'sources' | 'workflows'>;

export interface FoundEmitter {
  readonly id: string;
  readonly name: string;
  readonly type: 'source' | 'workflow';
}

/**
 * Finds an emitter by id or name slug; undefined if there is none.
 * @throws WeirError `conflict` if a source and a workflow have the name
 */
export function lookUpEmitter(store: EmitterStore, idOrSlug: string): FoundEmitter | undefined {
  const source = deployedSource(store, idOrSlug);
  const workflow = store.workflows.find(idOrSlug);
  if (source !== undefined && workflow !== undefined) {
    throw new WeirError(
      'conflict',
      `A source and a workflow have the name ${idOrSlug}: give one of ${source.id}, ${workflow.id}.`,
    );
  }
  if (source !== undefined) return { id: source.id, name: source.name, type: 'source' };
  return workflow && { id: workflow.id, name: workflow.name, type: 'workflow' };
}

/** The same, but throws `not_found`. */
export function findEmitter(store: EmitterStore, idOrSlug: string): FoundEmitter {
  const found = lookUpEmitter(store, idOrSlug);
  if (found !== undefined) return found;
  throw new WeirError(
    'not_found',
    `There is no source or workflow "${idOrSlug}". List them with "weir list sources" and "weir list workflows".`,
  );
}
