import type { AttemptPhases, AttemptRecord } from '../../store/history/deliveries.ts';
import { Exchange, type Outcome } from './exchange.ts';
import { withoutInterimAnswers } from './interim-answers.ts';
import { type Clock, phasesOf, tenths, timedConnector } from './phases.ts';

export interface Sent extends Outcome {
  readonly totalMs: number;
  readonly phases: AttemptPhases;
}

export interface Sender {
  /** Never rejects. Undefined when `close` cut it off: nobody knows whether it arrived. */
  send(request: AttemptRecord['request']): Promise<Sent | undefined>;
  /** Cuts off what is in flight. */
  close(): Promise<void>;
}

/** @param timeoutMs from the start until the last byte of the answer. */
export function createSender(timeoutMs: number): Sender {
  const inFlight = new Set<Exchange>();
  const cut = new Error('cut off');
  let opened: ReturnType<typeof openAgent> | undefined;
  let closed = false;

  return {
    async send({ url: text, headers, body }) {
      const { agent, connector } = await (opened ??= openAgent(timeoutMs));
      if (closed) return undefined;
      const url = new URL(text);
      const clock: Clock = { start: performance.now() };
      const exchange = new Exchange(url, clock);
      inFlight.add(exchange);
      const timer = setTimeout(() => exchange.cut(timedOut(timeoutMs)), timeoutMs);
      const { origin } = url;
      const path = url.pathname + url.search;
      connector.during(clock, () =>
        agent.dispatch({ origin, path, method: 'POST', headers, body }, exchange),
      );
      const outcome = await exchange.outcome;
      clearTimeout(timer);
      // An exchange that is no longer in flight was cut off.
      if (!inFlight.delete(exchange)) return undefined;
      const totalMs = tenths(performance.now() - clock.start);
      return { ...outcome, totalMs, phases: phasesOf(clock) };
    },

    async close() {
      closed = true;
      const all = [...inFlight];
      inFlight.clear();
      for (const exchange of all) exchange.cut(cut);
      await (await opened)?.agent.destroy();
    },
  };
}

/** Loaded with the first delivery: a runtime without webhooks does without its 9 MB. */
async function openAgent(timeoutMs: number) {
  const { Agent, buildConnector } = await import('undici');
  // The one limit over all of it replaces those of the single steps.
  const connector = timedConnector(withoutInterimAnswers(buildConnector({ timeout: timeoutMs })));
  const agent = new Agent({ connect: connector.connect, headersTimeout: 0, bodyTimeout: 0 });
  return { agent, connector };
}

function timedOut(ms: number): Error {
  return Object.assign(new Error(`No answer within ${ms} ms`), { code: 'ETIMEDOUT' });
}
