/**
 * Properties that random values try (`fast-check`), the same way in every layer.
 *
 *     npm run test:fuzz -- rest --minutes 10 --seed 7
 *
 * or, where a property stands in another layer, `WEIR_FUZZ_MINUTES` and `WEIR_FUZZ_SEED` in the environment. A
 * failure says what repeats it: its seed, and in `WEIR_FUZZ_PATH` the way to the smallest values.
 */
import * as fc from 'fast-check';

/** Seeds are signed 32-bit integers. */
const seeds = 2 ** 31;
/** No run takes so long, in ms; one that does has a seed that can be repeated. */
const longestRunMs = 60_000;

/**
 * Rejects with the smallest values that were found for which the property does not hold.
 * @param runs so many values are tried, a few seconds' worth; with `WEIR_FUZZ_MINUTES` again and again, with other
 * seeds, until so much time is over
 * @param options `endOnFailure`: nothing smaller is looked for, where each run takes long
 */
export async function holds<T>(
  property: fc.IRawProperty<T>,
  runs: number,
  options: Pick<fc.Parameters<T>, 'endOnFailure'> = {},
): Promise<void> {
  const { WEIR_FUZZ_MINUTES: minutes, WEIR_FUZZ_SEED, WEIR_FUZZ_PATH: path } = process.env;
  const end = path === undefined ? performance.now() + Number(minutes ?? 0) * 60_000 : 0;
  let seed = Number(WEIR_FUZZ_SEED ?? Date.now() % seeds);
  do {
    const result = await fc.check(property, {
      numRuns: runs,
      seed,
      timeout: longestRunMs,
      ...options,
      ...(path !== undefined && { path }),
    });
    if (result.failed) throw new Error(await report(result), { cause: result.errorInstance });
    seed = (seed + 1) % seeds;
  } while (performance.now() < end);
}

async function report<T>(result: fc.RunDetails<T>): Promise<string> {
  const { seed, counterexamplePath } = result;
  const again = `WEIR_FUZZ_SEED=${seed} WEIR_FUZZ_PATH=${counterexamplePath ?? ''}`;
  return `${(await fc.asyncDefaultReportMessage(result)) ?? ''}\nAgain with ${again}`;
}
