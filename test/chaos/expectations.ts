/** What must be there, whatever happened (pure). */

export interface Sent {
  readonly number: number;
  /** Of the code that was deployed when it was sent. */
  readonly version: number;
  /** The caller was told 200. */
  readonly acknowledged: boolean;
}

export interface Counted {
  readonly number: number;
  readonly count: number;
}

/** What the runtime shows. */
export interface Seen {
  /** Events of the counter, in their order. */
  readonly emitted: readonly (Counted & { readonly version: number })[];
  /** Events of the source that listens to it. */
  readonly followed: readonly Counted[];
  /** Numbers that the webhook was sent, in the order they came, repetitions included. */
  readonly delivered: readonly number[];
  /** Numbers that the stream told. */
  readonly streamed: readonly number[];
}

export interface Judgement {
  /** May still come. */
  readonly missing: readonly string[];
  /** Will never be right. */
  readonly wrong: readonly string[];
}

export function judge(sent: readonly Sent[], seen: Seen): Judgement {
  const missing: string[] = [];
  const wrong: string[] = [];
  const numbers = seen.emitted.map(({ number }) => number);
  const emitted = new Set(numbers);
  const byNumber = new Map(sent.map((one) => [one.number, one]));

  for (const { number, acknowledged } of sent) {
    if (acknowledged && !emitted.has(number)) missing.push(`an event of request ${number}`);
  }
  for (const number of repeated(numbers)) wrong.push(`request ${number} made two events`);
  for (const { number, version } of seen.emitted) {
    const from = byNumber.get(number);
    if (from === undefined) wrong.push(`an event of request ${number}, which nobody sent`);
    else if (version < from.version)
      wrong.push(
        `request ${number} was run by code ${version}, after ${from.version} was deployed`,
      );
  }
  seen.emitted.forEach(({ number, count }, index) => {
    const before = seen.emitted[index - 1]?.count ?? 0;
    if (count <= before) wrong.push(`the db went back from ${before} to ${count} at ${number}`);
  });

  seen.followed.forEach(({ number, count }, index) => {
    if (number !== numbers[index])
      wrong.push(`event ${index + 1} of the follower is of ${number}, not of ${numbers[index]}`);
    if (count !== index + 1) wrong.push(`event ${index + 1} of the follower counts ${count}`);
  });
  if (seen.followed.length < numbers.length)
    missing.push(`${numbers.length - seen.followed.length} events of the follower`);

  compare('the stream', seen.streamed, numbers, missing, wrong);
  // A delivery may come twice: whoever was killed does not know whether it had arrived.
  compare('the webhook', [...new Set(seen.delivered)], numbers, missing, wrong);
  return { missing, wrong };
}

function compare(
  who: string,
  told: readonly number[],
  numbers: readonly number[],
  missing: string[],
  wrong: string[],
): void {
  const at = told.findIndex((number, index) => number !== numbers[index]);
  if (at !== -1) wrong.push(`${who} was told ${told[at]} at ${at + 1}, in place of ${numbers[at]}`);
  if (told.length < numbers.length)
    missing.push(`${numbers.length - told.length} events at ${who}`);
}

function repeated(numbers: readonly number[]): Set<number> {
  const once = new Set<number>();
  return new Set(numbers.filter((number) => once.size === once.add(number).size));
}
