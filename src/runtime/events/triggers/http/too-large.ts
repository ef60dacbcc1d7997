import { WeirError } from '../../../../protocol/errors.ts';
import type { HttpTrigger } from '../../../../protocol/host.ts';
import type { Intake } from '../../intake.ts';
import type { Services } from '../../services.ts';

export interface TooLargeOptions extends Pick<Services, 'kinds' | 'report'> {
  readonly intake: Intake;
}

/** Keeps a row of a request that was refused because its body is too large, where its emitter has rows of such (P25.5). */
export function recordTooLarge({ kinds, intake, report }: TooLargeOptions) {
  return (emitterId: string, trigger: HttpTrigger): void => {
    if (!kinds.of(emitterId).keepsRefusedRequests) return;
    const { durable } = intake.record(emitterId, { cause: 'http', trigger }, 'body too large');
    durable.catch((error: unknown) => {
      // A failed store has reported that.
      if (!WeirError.is(error, 'store_failed')) report(`${emitterId}: not recorded`, error);
    });
  };
}
