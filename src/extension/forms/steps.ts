/** Shown until the runtime says what it does. */
export const firstStep = 'Starting';

/** One more step; one that says the last more precisely ("Bundling", "Bundling x.mjs") takes its place. */
export function stepsWith(steps: readonly string[], step: string): readonly string[] {
  const last = steps.at(-1);
  const isMore = last === firstStep || (last !== undefined && step.startsWith(last));
  return [...(isMore ? steps.slice(0, -1) : steps), step];
}
