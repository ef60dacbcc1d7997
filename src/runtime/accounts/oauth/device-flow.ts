/** The device grant: a person enters a code in a browser anywhere, and the provider is asked until it was. */
import { messageOf } from '../../../protocol/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { GrantFailed } from './failure.ts';
import type { OAuthPlan } from './plan.ts';
import type { DeviceCode, Tokens } from './server.ts';
import type { Finish, Session } from './session.ts';

/** Resolves when there is a code to enter. @throws GrantFailed */
export async function startDevice(
  session: Session<OAuthPlan>,
  finish: Finish,
  clock: Pick<Clock, 'now' | 'after'>,
): Promise<void> {
  const { server, scope } = session.plan;
  const code = await server.deviceCode(scope);
  const { userCode, verificationUri } = code;
  session.shows({ userCode, verificationUri });
  poll(session, finish, clock, code);
}

function poll(
  session: Session<OAuthPlan>,
  finish: Finish,
  clock: Pick<Clock, 'now' | 'after'>,
  code: DeviceCode,
): void {
  const end = clock.now() + code.expiresIn * 1000;
  const later = (seconds: number): void => {
    session.close = clock.after(seconds * 1000, () => void ask(seconds));
  };
  const ask = async (seconds: number): Promise<void> => {
    let tokens: Tokens;
    try {
      tokens = await session.plan.server.device(code.deviceCode);
    } catch (error) {
      const word = error instanceof GrantFailed ? error.code : undefined;
      const isPassing = error instanceof GrantFailed && error.kind === 'unreachable';
      if (!session.isOpen) return;
      if (clock.now() >= end || word === 'expired_token')
        session.fail('The code has run out before anybody entered it.');
      else if (word === 'slow_down' || isPassing) later(seconds + 5);
      else if (word === 'authorization_pending') later(seconds);
      else session.fail(messageOf(error));
      return;
    }
    await finish(() => Promise.resolve(tokens), {});
  };
  later(code.interval);
}
