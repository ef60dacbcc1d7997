import type { OperationName, Params, TrustQuestion } from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import type { Caller, CallOptions } from './connection.ts';

/** A call that asks more often than this asks for something new each time. */
const mostRounds = 20;

/**
 * The same calls, for a person at the terminal or editor: a call that needs trust in components of others is repeated
 * after a yes. After a no, the caller gets the error.
 * @param approve is given all questions of one call
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

/** The questions of a `trust_needed` error. */
export function questionsOf(error: WeirError): TrustQuestion[] {
  return (error.details ?? []).filter(
    (detail) => typeof detail['token'] === 'string',
  ) as unknown as TrustQuestion[];
}
