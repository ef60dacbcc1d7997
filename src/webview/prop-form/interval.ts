/** Intervals in their most natural unit (pure). */

export interface Unit {
  readonly name: string;
  readonly seconds: number;
}

const second: Unit = { name: 'seconds', seconds: 1 };
export const units: readonly Unit[] = [
  second,
  { name: 'minutes', seconds: 60 },
  { name: 'hours', seconds: 3600 },
  { name: 'days', seconds: 86_400 },
];

/** The largest unit of which the interval is a multiple: 900 s are 15 minutes, 90 s are 90 seconds. */
export function unitOf(intervalSeconds: number): Unit {
  const fitting = units.filter(
    ({ seconds }) => intervalSeconds > 0 && intervalSeconds % seconds === 0,
  );
  return fitting.at(-1) ?? second;
}

/** "Every hour", "Every 90 seconds" */
export function inWords(intervalSeconds: number): string {
  const { name, seconds } = unitOf(intervalSeconds);
  const count = intervalSeconds / seconds;
  return count === 1 ? `Every ${name.slice(0, -1)}` : `Every ${count} ${name}`;
}
