import { isReservedChannel } from '../../../protocol/channels.ts';
import { isDictionary, kindOf, plainText } from '../values.ts';
import { authorFrames } from './frames.ts';
import type { Invocation } from './invocation.ts';

/** Warns of a call whose argument does nothing, with the line of the call. */
export function warnIgnored(invocation: Pick<Invocation, 'warnOnce'>, text: string): void {
  const [frame = ''] = authorFrames(new Error().stack ?? '');
  const place = frame.replace(/^\s+at (?:.*\()?(.*?)\)?$/, '$1');
  invocation.warnOnce(place === '' ? text : `${text} (${place})`);
}

type Warns = Pick<Invocation, 'warnOnce'>;

/**
 * Warns of arguments that a call does not accept (P13.15).
 * @param takes the arguments as the call names them, such as `(ms)`
 */
export function warnExtra(
  invocation: Warns,
  call: string,
  takes: string,
  extra: readonly unknown[],
): void {
  if (extra.every((one) => one === undefined || one === null)) return;
  warnIgnored(invocation, `${call} takes ${takes}: what it was given after that does nothing.`);
}

/** Warns of members that a call does not know (P13.15). */
export function warnUnknown(
  invocation: Warns,
  call: string,
  given: unknown,
  known: readonly string[],
): void {
  if (!isDictionary(given)) return;
  const unknown = Object.keys(given).filter(
    (name) => !known.includes(name) && given[name] !== undefined,
  );
  if (unknown.length === 0) return;
  const names = unknown.slice(0, 5).map((name) => `"${name}"`);
  warnIgnored(
    invocation,
    `${call}: ${names.join(', ')} ${names.length === 1 ? 'does' : 'do'} nothing. It takes {${known.join(', ')}}.`,
  );
}

/** Warns of a member that has to be an object and is something else (P13.15). */
export function warnNoObject(invocation: Warns, call: string, name: string, value: unknown): void {
  if (value === undefined || value === null || isDictionary(value)) return;
  warnIgnored(
    invocation,
    `${call}: ${name} is ${kindOf(value)}, so that it does nothing. Give an object.`,
  );
}

/** Warns of a value that has no JSON form, such as a function (P13.15). */
export function warnNoJson(
  invocation: Warns,
  what: string,
  value: unknown,
  json: string | undefined,
): void {
  if (value === undefined || json !== undefined) return;
  warnIgnored(
    invocation,
    `${what} is ${kindOf(value)} without a JSON form, so that it does nothing.`,
  );
}

/** Warns of a channel that a component may not emit on (P18.16). */
export function warnReserved(invocation: Warns, call: string, name: unknown): void {
  if (typeof name !== 'string' || !isReservedChannel(name)) return;
  warnIgnored(
    invocation,
    `${call}: the channel "${name}" is reserved, so that the event goes out without a channel. Use another name.`,
  );
}

/** Warns of an invalid time (P13.15). */
export function warnNoTime(
  invocation: Warns,
  call: string,
  name: string,
  given: unknown,
  time: number | undefined,
): void {
  if (given === undefined || given === null || given === '' || time !== undefined) return;
  warnIgnored(invocation, `${call}: ${name} is not a time, so that it does nothing.`);
}

/** @param json what `exportJson` made of the value */
export function warnUnexported(
  invocation: Pick<Invocation, 'warnOnce'>,
  name: unknown,
  value: unknown,
  json: string | undefined,
): void {
  if (typeof name !== 'string' || name === '') {
    warnIgnored(
      invocation,
      `$.export needs a name: the value is exported as "${plainText(name)}".`,
    );
  } else if (json === undefined) {
    const what = value === undefined ? 'undefined' : `a ${typeof value}`;
    warnIgnored(
      invocation,
      `$.export("${name}"): ${what} has no JSON form, so nothing is exported.`,
    );
  }
}
