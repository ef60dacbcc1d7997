/** The interfaces of a source: those its definition asks for, and reserved endpoints (pure). */
import type { ComponentDefinition, ConfigurableProp } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import { own } from '../../protocol/own.ts';
import { timerOf, type TimerSchedule } from '../components/props/timer.ts';
import type { InterfaceRecord, SourceRecord } from '../store/configuration/sources.ts';

/**
 * The interfaces of a definition. One keeps its id as long as a prop of the same name and kind stays:
 * endpoints are stable over updates (P7.35).
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
    const kind = kindOf(prop);
    if (kind === undefined) continue;
    const kept = before.find(
      (candidate) => candidate.prop === prop.name && candidate.kind === kind,
    );
    const base = { id: kept?.id ?? newId(kind === 'timer' ? 'ti_' : 'hi_'), prop: prop.name, kind };
    if (kind !== 'timer') {
      interfaces.push(base);
      continue;
    }
    const timer = timerOf(prop, own(configured, prop.name));
    if (timer === undefined) continue;
    // An unchanged schedule continues; a new one starts now.
    const same = kept !== undefined && sameSchedule(kept, timer);
    interfaces.push({
      ...base,
      ...timer,
      ...(same && kept.nextAt !== undefined && { nextAt: kept.nextAt }),
    });
  }
  return interfaces;
}

/** An apphook is an interface once it is known which events it asks for (P8.23). */
function kindOf(prop: ConfigurableProp): InterfaceRecord['kind'] | undefined {
  if (prop.type === '$.interface.http') return 'http';
  if (prop.type === '$.interface.timer') return 'timer';
  const isAppHook = prop.type === '$.interface.apphook' && prop['eventNames'] !== undefined;
  return isAppHook ? 'apphook' : undefined;
}

function sameSchedule(kept: InterfaceRecord, timer: TimerSchedule): boolean {
  const { intervalSeconds, cron, timezone }: Partial<InterfaceRecord> = timer;
  return (
    kept.intervalSeconds === intervalSeconds && kept.cron === cron && kept.timezone === timezone
  );
}

/** As `newId('hi_')` makes it: an id that a client made up could be guessed. */
const endpointId = /^hi_[0-9A-Za-z]{7}$/;

/** Throws `bad_input`. */
export function requireEndpointId(id: string): void {
  if (endpointId.test(id)) return;
  throw new WeirError('bad_input', `"${id}" is not the id of an endpoint, such as hi_x7Kq2Pz.`);
}

/**
 * The interfaces that a deploy takes over: endpoints that were reserved before, so that the URL can be
 * given to a third party first (our decision). Nothing is stored when one is reserved: the deploy names
 * its id.
 *
 * @param endpoints id of the endpoint by prop
 * @throws WeirError `bad_input` for what is not such an id, `conflict` for one that another source has
 */
export function reservedInterfaces(
  endpoints: Readonly<Record<string, string>>,
  sources: readonly Pick<SourceRecord, 'name' | 'interfaces'>[],
): InterfaceRecord[] {
  return Object.entries(endpoints).map(([prop, id]) => {
    requireEndpointId(id);
    const owner = sources.find(({ interfaces }) => interfaces.some((one) => one.id === id));
    if (owner === undefined) return { id, prop, kind: 'http' };
    throw new WeirError('conflict', `The endpoint ${id} belongs to ${owner.name} already.`);
  });
}
