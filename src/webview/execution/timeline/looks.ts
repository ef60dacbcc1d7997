import type { StatusIcon } from '../icons.ts';
import type { StepSummary } from '../messages.ts';

/** By status: an icon and a word, so that colour is never all there is. */
export const looks: Record<
  StepSummary['status'],
  { readonly icon: StatusIcon; readonly word: string }
> = {
  running: { icon: 'loading', word: 'running' },
  succeeded: { icon: 'pass', word: 'succeeded' },
  failed: { icon: 'error', word: 'failed' },
  retrying: { icon: 'history', word: 'will be tried again' },
  paused: { icon: 'debugPause', word: 'paused' },
  cancelled: { icon: 'circleSlash', word: 'cancelled' },
};
