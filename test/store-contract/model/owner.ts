/** Whom a script writes as: the owner of an emitter, or one that was replaced. */
import { WeirError } from '../../../src/protocol/errors.ts';
import type { EmitterOwner } from '../../../src/runtime/store/emitter-owner.ts';
import type { PlainStore } from './plain-store.ts';
import type { Session } from './session.ts';

export interface Writer {
  readonly owner: EmitterOwner;
  /** What it does to the model: a fence that is stale is refused. */
  readonly as: (apply: (plain: PlainStore) => unknown) => (plain: PlainStore) => unknown;
}

/** One that is not there has no owner: any fence will do. */
export async function writerOf(session: Session, id: string, stale = false): Promise<Writer> {
  if (!session.plain.state.emitters.has(id)) {
    return { owner: { id, fence: 0 }, as: (apply) => apply };
  }
  const fence = await session.fenceOf(id);
  if (!stale) return { owner: { id, fence }, as: (apply) => apply };
  const refused = (): never => {
    throw new WeirError('conflict', 'A fence that is stale.');
  };
  return { owner: { id, fence: fence - 1 }, as: () => refused };
}
