import type { Result } from '../protocol/catalogue.ts';

export type StaleStep = Result<'executions.stale'>['data'][number];

/** Why the result of a step is out of date, as the end of a sentence. */
export function staleReason({ because, of }: Pick<StaleStep, 'because' | 'of'>): string {
  switch (because) {
    case 'code':
      return 'its code has changed since';
    case 'props':
      return 'its props have changed since';
    case 'upstream':
      return `${of ?? 'a step before it'} has changed since`;
    case 'unknown':
      return 'what it ran with is not kept any more';
  }
}
