import type { OperationName, Params, TrustQuestion } from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import type { Caller, CallOptions } from './connection.ts';

/** A call that asks more often than this asks for something new each time. */
const mostRounds = 20;

/**
 * The same calls, for a person who is there: one that needs a yes to components of others is repeated
 * after it. Who says no gets the error.
 * @param approve is given all that one call asks about
 */
export function withTrust(
  { call }: Caller,
  approve: (questions: readonly TrustQuestion[], error: WeirError) => Promise<boolean>,
): Caller['call'] {
  return async <N extends OperationName>(name: N, params: Params<N>, options?: CallOptions) => {
    for (let round = 0; ; round += 1) {
      try {
        return await call(name, params, options);
      } catch (error) {
        if (!WeirError.is(error, 'trust_needed') || round === mostRounds) throw error;
        const questions = questionsOf(error);
        if (questions.length === 0 || !(await approve(questions, error))) throw error;
        for (const { token } of questions) await call('registries.trust', { token });
      }
    }
  };
}

/** What a `trust_needed` error asks. */
export function questionsOf(error: WeirError): TrustQuestion[] {
  return (error.details ?? []).filter(
    (detail) => typeof detail['token'] === 'string',
  ) as unknown as TrustQuestion[];
}
