/** Several registries at once: each has its own time, and one that fails does not hold up the others (P27.5). */
import { messageOf, WeirError } from '../../protocol/errors.ts';

export interface Answered<T> {
  readonly answers: readonly T[];
  /** The registries that did not answer. */
  readonly problems: readonly { readonly registry: string; readonly message: string }[];
}

/**
 * @param timeoutMs for each of them
 * @throws WeirError `cancelled` when the signal aborts
 */
export async function askAll<R extends { readonly name: string }, T>(
  registries: readonly R[],
  timeoutMs: number,
  signal: AbortSignal,
  ask: (registry: R, signal: AbortSignal) => Promise<T>,
): Promise<Answered<T>> {
  const asked = await Promise.all(
    registries.map(async (registry) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      const own = AbortSignal.any([signal, timeout]);
      try {
        return { answer: await unlessLate(ask(registry, own), own) };
      } catch (error) {
        if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.', undefined, error);
        const late = `it did not answer within ${Math.round(timeoutMs / 1000)} seconds.`;
        const isLate = timeout.aborted && !WeirError.is(error, 'registry_failed');
        const message = isLate ? late : messageOf(error);
        return { problem: { registry: registry.name, message } };
      }
    }),
  );
  return {
    answers: asked.flatMap((one) => ('answer' in one ? [one.answer as T] : [])),
    problems: asked.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
  };
}

/** Work that looks at its signal too seldom is left to end by itself. */
function unlessLate<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      // A registry that ends because of the signal may still say why in its own words.
      setTimeout(() => reject(signal.reason as Error), 200).unref();
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject);
    const ended = (): void => signal.removeEventListener('abort', stop);
    work.then(ended, ended);
  });
}
