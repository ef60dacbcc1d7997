/** How one row of a tree looks, as data: icon ids are codicons, colours theme colours. */
export interface Line {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly colour?: string;
  /** Tokens framed by `;`, matched by the manifest's `when` clauses. */
  readonly contextValue: string;
  /** The text for screen readers, where the state is only drawn. */
  readonly accessible: string;
}

/** `;a;b;` so that `/;a;/` matches a whole word. */
export function tokens(...words: (string | undefined)[]): string {
  return `;${words.filter((word) => word !== undefined).join(';')};`;
}

/**
 * The last row of a list that shows a part.
 * @param token of its context value
 * @param left how many are not shown, and of what where the rows do not say it
 */
export function moreLine(token: string, left: string): Line {
  const label = `Show more (${left} left)`;
  return {
    label,
    description: '',
    icon: 'ellipsis',
    contextValue: tokens(token),
    accessible: label,
  };
}

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
