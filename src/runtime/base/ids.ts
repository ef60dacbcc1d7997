/** Identifiers: `dc_x7Kq2Pz` and the like (P21.5). */
import { randomFillSync } from 'node:crypto';

/** A number of [0, 1). Injected wherever something is drawn, so that tests can repeat it. */
export type Random = () => number;

/** In ASCII order, so that numbers padded to one width sort as text. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** All numbers of two digits: every event has an id of 27, and so half the steps make it. */
const pairs = Array.from(alphabet, (high) => Array.from(alphabet, (low) => high + low)).flat();

/** Digits taken from one draw: 62^5 is far below the 2^48 values of `secureRandom`, so none is favoured. */
const digitsPerDraw = 5;
const drawRange = 62 ** digitsPerDraw;

export type IdPrefix =
  | 'dc_'
  | 'sc_'
  | 'wh_'
  | 'sub_'
  | 'asub_'
  | 'apn_'
  | 'oa_'
  | 'p_'
  | 'd_'
  | 'u_'
  | 'ds_'
  | 'hi_'
  | 'ti_'
  | 'dyp_';

/** Prefix and 7 base62 characters. Endpoint URLs rest on it being unguessable: give it `secureRandom`. */
export function newId(prefix: IdPrefix, random: Random): string {
  return prefix + randomBase62(7, random);
}

export function randomBase62(length: number, random: Random): string {
  let text = '';
  while (text.length < length) {
    const digits = Math.min(digitsPerDraw, length - text.length);
    text += base62(Math.floor(random() * drawRange) % 62 ** digits, digits);
  }
  return text;
}

/** A non-negative integer in base62, padded with zeros to `length`, its lowest digits when it is longer. */
export function base62(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let missing = length; missing > 0; missing -= 2) {
    const pair = pairs[rest % pairs.length] ?? '';
    text = (missing === 1 ? pair.charAt(1) : pair) + text;
    rest = Math.floor(rest / pairs.length);
  }
  return text;
}

const pool = Buffer.alloc(6 * 512);
let unused = 0;

/** `Random` from the system's generator, 48 bits a draw, filled 512 draws at a time. */
export function secureRandom(): number {
  if (unused === 0) {
    randomFillSync(pool);
    unused = pool.length;
  }
  unused -= 6;
  return pool.readUIntBE(unused, 6) / 2 ** 48;
}
