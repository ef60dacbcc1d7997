/** Times, durations and sizes as people read them (pure). */

/** Date and time to the millisecond. */
export function exactTime(at: number): string {
  const date = new Date(at);
  return `${date.toLocaleDateString()} ${clock(at)}`;
}

export function clock(at: number): string {
  const time = new Date(at).toLocaleTimeString([], { hour12: false });
  return `${time}.${String(at % 1000).padStart(3, '0')}`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A duration in its two largest units: "14 ms", "1.2 s", "2 d 3 h". */
export function took(exact: number): string {
  if (Math.round(exact) < second) return `${Math.round(exact)} ms`;
  // Rounded before the unit is chosen: 59.96 s are a minute.
  const ms = Math.round(exact / 100) * 100;
  if (ms < minute) return `${(ms / second).toFixed(1)} s`;
  if (ms < hour) return twoUnits(ms, minute, 'min', second, 's');
  if (ms < day) return twoUnits(ms, hour, 'h', minute, 'min');
  return twoUnits(ms, day, 'd', hour, 'h');
}

function twoUnits(ms: number, large: number, name: string, small: number, rest: string): string {
  const left = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${name}${left === 0 ? '' : ` ${left} ${rest}`}`;
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
