/** The interface records of a source from its definition and what is configured (pure). */
import type { ComponentDefinition } from '../../protocol/definition.ts';
import { own } from '../../protocol/own.ts';
import { timerOf, type TimerSchedule } from '../props/timer.ts';
import type { InterfaceRecord } from '../store/domain/sources.ts';

/**
 * An interface keeps its id as long as a prop of the same name and kind stays: endpoints are stable
 * over updates (reference §3.2).
 * @param newId makes an id with the prefix `hi_` or `ti_`
 */
export function interfacesOf(
  definition: ComponentDefinition,
  configured: Readonly<Record<string, unknown>>,
  before: readonly InterfaceRecord[],
  newId: (prefix: 'hi_' | 'ti_') => string,
): InterfaceRecord[] {
  const interfaces: InterfaceRecord[] = [];
  for (const prop of definition.props) {
    const kind = kindOf(prop.type);
    if (kind === undefined) continue;
    const kept = before.find(
      (candidate) => candidate.prop === prop.name && candidate.kind === kind,
    );
    const base = { id: kept?.id ?? newId(kind === 'http' ? 'hi_' : 'ti_'), prop: prop.name, kind };
    if (kind === 'http') {
      interfaces.push(base);
      continue;
    }
    const timer = timerOf(prop, own(configured, prop.name));
    if (timer === undefined) continue;
    // A schedule that stays as it is goes on where it was; a new one starts now.
    const same = kept !== undefined && sameSchedule(kept, timer);
    interfaces.push({
      ...base,
      ...timer,
      ...(same && kept.nextAt !== undefined && { nextAt: kept.nextAt }),
    });
  }
  return interfaces;
}

function kindOf(type: string): 'http' | 'timer' | undefined {
  if (type === '$.interface.http') return 'http';
  if (type === '$.interface.timer') return 'timer';
  return undefined;
}

function sameSchedule(kept: InterfaceRecord, timer: TimerSchedule): boolean {
  const { intervalSeconds, cron, timezone }: Partial<InterfaceRecord> = timer;
  return (
    kept.intervalSeconds === intervalSeconds && kept.cron === cron && kept.timezone === timezone
  );
}
