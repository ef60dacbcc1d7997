/**
 * Schedules beside a model that walks through the minutes of a time zone and looks at the clock there
 * (`Intl`), and beside another library (`cron-schedule`) where clocks do not change.
 */
import { parseCronExpression } from 'cron-schedule';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkSchedule, nextTick } from '../../src/runtime/events/schedules/schedule.ts';
import { holds } from '../support/holds.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** One field as it is written, and what it means; undefined for a star. */
interface Field {
  readonly text: string;
  readonly values: readonly number[] | undefined;
}

const range = (least: number, most: number, step = 1) =>
  Array.from({ length: Math.floor((most - least) / step) + 1 }, (_, i) => least + i * step);

/** @param names of the values, from the least on */
function field(least: number, most: number, names: readonly string[] = []): fc.Arbitrary<Field> {
  const value = fc.integer({ min: least, max: most });
  const name = (one: number) => names[one - least] ?? String(one);
  const part = fc.oneof(
    fc
      .tuple(value, fc.boolean())
      .map(([one, named]) => ({ text: named ? name(one) : String(one), values: [one] })),
    fc.tuple(value, value).map(([a, b]) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      return { text: `${from}-${to}`, values: range(from, to) };
    }),
    fc.tuple(value, value, fc.integer({ min: 1, max: 6 })).map(([a, b, step]) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      return { text: `${from}-${to}/${step}`, values: range(from, to, step) };
    }),
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({ text: '*', values: undefined }) },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 2, max: 6 })
        .map((step) => ({ text: `*/${step}`, values: range(least, most, step) })),
    },
    {
      weight: 4,
      arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => ({
        text: parts.map(({ text }) => text).join(','),
        values: parts.flatMap(({ values }) => values),
      })),
    },
  );
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Expression {
  readonly minute: Field;
  readonly hour: Field;
  readonly day: Field;
  readonly month: Field;
  readonly weekday: Field;
}
const expression: fc.Arbitrary<Expression> = fc.record({
  minute: field(0, 59),
  hour: field(0, 23),
  day: field(1, 31),
  month: field(1, 12, months),
  weekday: field(0, 7, [...weekdays, 'sun']),
});
const textOf = ({ minute, hour, day, month, weekday }: Expression) =>
  [minute, hour, day, month, weekday].map(({ text }) => text).join(' ');

/** Whose clocks change, at midnight too, by half an hour, backwards in winter, or that skip a day. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'America/St_Johns',
  'Antarctica/Troll',
] as const;

/**
 * Between these, every change of clocks of a zone that moves them by more than nothing. Before them Samoa left
 * out a whole day (30 December 2011), which no schedule of today meets.
 */
const [first, end] = [Date.UTC(2012, 1), Date.UTC(2032, 0)];
const changes = new Map<string, readonly number[]>();

function changesOf(zone: string): readonly number[] {
  const known = changes.get(zone);
  if (known !== undefined) return known;
  const found: number[] = [];
  for (let at = first; at < end; at += 6 * hourMs) {
    if (wallAt(at, zone) - at !== wallAt(at + 6 * hourMs, zone) - (at + 6 * hourMs)) found.push(at);
  }
  changes.set(zone, found);
  return found;
}

/** Often near a change of clocks. */
const moment = fc
  .tuple(
    fc.constantFrom(...zones),
    fc.nat(),
    fc.integer({ min: -40 * 60, max: 40 * 60 }),
    fc.nat({ max: minuteMs - 1 }),
    fc.boolean(),
  )
  .map(([zone, seed, minutes, ms, near]) => {
    const all = changesOf(zone);
    const base =
      near && all.length > 0
        ? all[seed % all.length]!
        : first + ((seed * 997 * minuteMs) % (end - first));
    return { zone, after: base + minutes * minuteMs + ms };
  });

test('the next tick is the first that the clock on the wall says', async () => {
  await holds(
    fc.property(expression, moment, (cron, { zone, after }) => {
      const next = nextTick({ cron: textOf(cron), timezone: zone }, after);
      const expected = modelled(cron, zone, after, after + 5 * dayMs);
      // What is due later is not looked for.
      const isSoon = next !== undefined && next < after + 5 * dayMs;
      expect(isSoon ? shown(next) : undefined).toBe(shown(expected));
    }),
    80,
  );
});

// The other library computes in the time zone of the machine.
process.env['TZ'] = 'UTC';
test('where clocks do not change another library says the same', async () => {
  const years = fc.integer({ min: Date.UTC(1999, 0), max: Date.UTC(2090, 0) });
  await holds(
    fc.property(expression, years, (cron, after) => {
      // Whether a list of all days restricts is a matter of dialect.
      fc.pre(cron.day.text === '*' || cron.weekday.text === '*');
      const text = textOf(cron);
      const next = nextTick({ cron: text }, after);
      // The other one looks five years ahead.
      fc.pre(next !== undefined && next < after + 4 * 366 * dayMs);
      const other = parseCronExpression(text).getNextDate(new Date(after)).getTime();
      expect(shown(next)).toBe(shown(other));
    }),
    1500,
  );
});

test('ticks follow each other for ever, in every zone', async () => {
  await holds(
    fc.property(expression, moment, (cron, { zone, after }) => {
      const schedule = { cron: textOf(cron), timezone: zone };
      let now = after;
      for (let i = 0; i < 20; i++) {
        const next = nextTick(schedule, now);
        if (next === undefined) break;
        expect(next).toBeGreaterThan(now);
        // Nothing in between was left out.
        expect(nextTick(schedule, Math.floor((now + next) / 2))).toBe(next);
        now = next;
      }
    }),
    100,
  );
});

test('any text is a schedule that ticks, or is refused with a sentence', async () => {
  const token = fc.constantFrom(
    '*',
    '/',
    '-',
    ',',
    '0',
    '1',
    '7',
    '59',
    '60',
    '-1',
    '?',
    'L',
    'W',
    '#',
    'MON',
    'jan',
    '@daily',
    ' ',
    '\t',
    '1.5',
    '٣',
    '1e1',
    '0x1',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(token, { maxLength: 14 }).map((all) => all.join('')),
    expression.map(textOf),
  );
  const cut = fc
    .tuple(text, fc.nat({ max: 20 }), token)
    .map(([all, at, put]) => all.slice(0, at) + put + all.slice(at + 1));
  const timezone = fc.option(fc.oneof(fc.constantFrom<string>(...zones), fc.string()), {
    nil: undefined,
  });
  await holds(
    fc.property(fc.oneof(text, cut), timezone, moment, (cron, zone, { after }) => {
      const schedule = zone === undefined ? { cron } : { cron, timezone: zone };
      const wrong = checkSchedule(schedule);
      if (wrong !== undefined) expect(wrong).toMatch(/^.+\.?$/s);
      else expect(nextTick(schedule, after)).toBeGreaterThan(after);
    }),
    2000,
  );
});

const shown = (time: number | undefined) =>
  time === undefined ? undefined : new Date(time).toISOString();

const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clock there shows, as the epoch ms at which one in UTC shows it; to the minute. */
function wallAt(instant: number, zone: string): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    formats.set(zone, format);
  }
  return Date.parse(`${format.format(instant).replace(' ', 'T')}Z`);
}

function matches({ minute, hour, day, month, weekday }: Expression, wall: number): boolean {
  const date = new Date(wall);
  const has = ({ values }: Field, value: number) => values === undefined || values.includes(value);
  if (!has(minute, date.getUTCMinutes()) || !has(hour, date.getUTCHours())) return false;
  if (!has(month, date.getUTCMonth() + 1)) return false;
  const onDay = has(day, date.getUTCDate());
  const onWeekday = has(weekday, date.getUTCDay()) || (date.getUTCDay() === 0 && has(weekday, 7));
  // As Vixie cron: of two that are both restricted, either is enough, unless one begins with a star (P8.26).
  const either = !day.text.startsWith('*') && !weekday.text.startsWith('*');
  return either ? onDay || onWeekday : onDay && onWeekday;
}

function everyValue({ values }: Field, least: number, most: number): boolean {
  return (
    values === undefined ||
    range(least, most).every((one) => values.includes(one) || (one === 0 && values.includes(7)))
  );
}

/**
 * Minute by minute. An expression for every hour goes by what the clock shows, whenever it does. One with
 * fixed hours runs once at each time on the wall: the first time when the clock shows it twice, and when
 * it never does, as much later as the clock was put forward.
 */
function modelled(
  cron: Expression,
  zone: string,
  after: number,
  limit: number,
): number | undefined {
  const everyHour = everyValue(cron.hour, 0, 23);
  const start = Math.floor(after / minuteMs) * minuteMs;
  // All that was on the wall before.
  const from = start - 26 * hourMs;
  let newest = wallAt(from, zone);
  const due: number[] = [];
  for (let at = from + minuteMs; at <= limit + 3 * hourMs; at += minuteMs) {
    const wall = wallAt(at, zone);
    if (everyHour) {
      if (matches(cron, wall)) due.push(at);
      if (due.length > 0 && due.at(-1)! > after) break;
    } else {
      for (let passed = newest + minuteMs; passed <= wall; passed += minuteMs) {
        if (matches(cron, passed))
          due.push(passed === wall ? at : at + (passed - (newest + minuteMs)));
      }
      if (due.some((one) => one > after && at > one)) break;
    }
    newest = Math.max(newest, wall);
  }
  return due.filter((one) => one > after && one < limit).sort((a, b) => a - b)[0];
}
