const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** "now", "12s ago", "in 3m": short enough for a tree's description. Both in epoch ms. */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(at - now);
  const past = at <= now;
  if (distance < second) return 'now';
  const [size, unit] =
    distance < minute
      ? [second, 's']
      : distance < hour
        ? [minute, 'm']
        : distance < day
          ? [hour, 'h']
          : [day, 'd'];
  const amount = `${Math.floor(distance / size)}${unit}`;
  return past ? `${amount} ago` : `in ${amount}`;
}
