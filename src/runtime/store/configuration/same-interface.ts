import type { InterfaceRecord } from './sources.ts';

/** Whether they are one interface, and tick at the same times (pure). */
export function isSameInterface(a: InterfaceRecord, b: InterfaceRecord): boolean {
  return (
    a.id === b.id &&
    a.cron === b.cron &&
    a.timezone === b.timezone &&
    a.intervalSeconds === b.intervalSeconds
  );
}
