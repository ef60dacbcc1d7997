/** How the state of a source or a workflow looks in a tree. */
export type EmitterState = 'active' | 'inactive' | 'running' | 'paused' | 'failed';

/** In place of the icon of its kind. */
export const stateIcons: Partial<Record<EmitterState, string>> = {
  running: 'loading~spin',
  paused: 'debug-pause',
  failed: 'error',
};

export const stateColours: Record<Exclude<EmitterState, 'running'>, string> = {
  active: 'weir.succeeded',
  inactive: 'weir.inactive',
  paused: 'weir.paused',
  failed: 'weir.failed',
};
