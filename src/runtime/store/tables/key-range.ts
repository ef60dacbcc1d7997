/** Ranges of keys in the order of their code points, which is that of both engines (pure). */

const lastCodePoint = 0x10_ff_ff;
const [firstSurrogate, afterSurrogates] = [0xd8_00, 0xe0_00];

/**
 * Returns the first text that comes after every text with this prefix; undefined if there is none.
 * @param prefix well-formed, and not empty
 */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (one) => one.codePointAt(0) ?? 0);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === firstSurrogate ? afterSurrogates : last + 1;
  return String.fromCodePoint(...points, next);
}
