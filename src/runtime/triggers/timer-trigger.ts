import type { TimerTrigger } from '../../protocol/host.ts';
import type { InterfaceRecord } from '../store/configuration/sources.ts';

/**
 * What a run by a timer gets. The time is that of the run, not the one it was due at: components
 * reckon with it as "now".
 *
 * @param at epoch ms; the trigger has epoch **seconds** (P8.1).
 */
export function timerTrigger(timer: InterfaceRecord, at: number): TimerTrigger {
  const { prop, intervalSeconds, cron, timezone } = timer;
  return {
    kind: 'timer',
    prop,
    timestamp: Math.floor(at / 1000),
    ...(intervalSeconds !== undefined && { intervalSeconds }),
    ...(cron !== undefined && { cron }),
    ...(timezone !== undefined && { timezone }),
  };
}
