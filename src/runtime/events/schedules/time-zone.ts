/**
 * Wall-clock time in a named time zone. A wall time is a number like an instant: the epoch ms at which a
 * clock in UTC would show it, so both are added and compared alike.
 */
export interface Zone {
  /** The offset that is added to an instant (epoch ms) to get the wall time there. */
  offsetAt(instant: number): number;
}

export const utc: Zone = { offsetAt: () => 0 };

/** Undefined for a name that the system's time zone data does not have. */
export function zoneNamed(name: string): Zone | undefined {
  if (name === 'UTC') return utc;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { ...allFields, timeZone: name });
  } catch {
    // That is how the constructor says that it does not know the zone.
    return undefined;
  }
  return {
    offsetAt(instant) {
      const part = new Map(
        format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
      );
      const wall = Date.UTC(
        part.get('year') ?? 0,
        (part.get('month') ?? 1) - 1,
        part.get('day'),
        part.get('hour'),
        part.get('minute'),
        part.get('second'),
      );
      return wall - Math.floor(instant / 1000) * 1000;
    },
  };
}

const allFields: Intl.DateTimeFormatOptions = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
};

const day = 86_400_000;

/**
 * The instant of a wall time: the first of two when clocks go back over it; when they go forward over
 * it, as much later as they skip (what `Temporal` calls "compatible").
 */
export function instantOf(wall: number, zone: Zone): number {
  const before = zone.offsetAt(wall - day);
  const after = zone.offsetAt(wall + day);
  const [first = wall - before] = [wall - before, wall - after]
    .filter((instant) => instant + zone.offsetAt(instant) === wall)
    .toSorted((a, b) => a - b);
  return first;
}

/** The first instant after `from` with another offset than at `from`; there must be one up to `to`. */
export function nextTransition(zone: Zone, from: number, to: number): number {
  const offset = zone.offsetAt(from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}
