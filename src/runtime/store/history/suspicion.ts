/**
 * A run that a death of its runtime cut off, as the next runtime has to know it after another death. Stores keep it as
 * the status of an invocation without an end, so it costs no column and no write of its own while nothing dies.
 */

export interface Suspicion {
  /** Nothing else runs in the runtime of its owner: another death is counted against it. */
  readonly isAlone: boolean;
  /** How many times it has outlived its time alone without coming to an end. */
  readonly outlived: number;
}

/** The mark of a run before it begins alone, and when others may begin beside it. */
export interface SuspectMark extends Suspicion {
  readonly n: number;
  /** 1, and one more for each death that counts. */
  readonly attempt: number;
}

/** Its text in the column `status`. */
export function statusOfSuspicion({ isAlone, outlived }: Suspicion): string {
  return `${isAlone ? 'alone' : 'beside'}:${outlived}`;
}

/** @param status of the column; undefined unless `statusOfSuspicion` made it */
export function suspicionOf(status: string): Suspicion | undefined {
  const [, place, outlived] = /^(alone|beside):(\d+)$/.exec(status) ?? [];
  return place === undefined
    ? undefined
    : { isAlone: place === 'alone', outlived: Number(outlived) };
}

/** The shown status: the owner of a run knows whether it has begun. */
export function shownStatus(status: string): string {
  return suspicionOf(status) === undefined ? status : 'queued';
}
