/** Whatever a message between the runtime and a component's process can carry, as random values (fast-check). */
import * as fc from 'fast-check';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'a', '\0', 'é', '😀'), maxLength: 5 }),
  fc.constantFrom('', '__proto__', 'constructor', 'toString', '0', 'x'.repeat(300)),
);

const number = fc.oneof(
  fc.integer(),
  fc.maxSafeNat(),
  fc.double(),
  fc.constantFrom(
    0,
    -0,
    127,
    128,
    -1,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    Number.NaN,
    Infinity,
    -Infinity,
  ),
);

/** Bytes are Buffers, as they come out of the channel. */
export const plainValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => {
  const record = fc
    .array(fc.tuple(text, tie('value')), { maxLength: 20, depthIdentifier: 'plain' })
    .map((entries) => Object.fromEntries(entries));
  return {
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true, depthIdentifier: 'plain' },
      fc.constantFrom(null, undefined, true, false),
      number,
      text,
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
      fc.array(tie('value'), { maxLength: 20, depthIdentifier: 'plain' }),
      record,
    ),
  };
}).value;
