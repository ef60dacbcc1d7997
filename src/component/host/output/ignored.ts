import { plainText } from '../values.ts';
import { authorFrames } from './frames.ts';
import type { Invocation } from './invocation.ts';

/** Warns of a call whose argument does nothing, with the line of the call. */
export function warnIgnored(invocation: Pick<Invocation, 'warnOnce'>, text: string): void {
  const [frame = ''] = authorFrames(new Error().stack ?? '');
  const place = frame.replace(/^\s+at (?:.*\()?(.*?)\)?$/, '$1');
  invocation.warnOnce(place === '' ? text : `${text} (${place})`);
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
