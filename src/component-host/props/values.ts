import type { HostConfiguration } from '../../protocol/host.ts';
import { appTemplate, createApp } from '../app-instance.ts';
import { isDictionary, type Dictionary } from '../authored.ts';
import { own } from '../../protocol/own.ts';
import { createDb, DbContents } from '../db.ts';
import { createHttpInterface } from '../http-interface.ts';
import { unwrapLabel } from '../label-value.ts';
import type { AskRuntime } from '../asks.ts';
import { dataStoreMaker } from './data-store.ts';
import { dirMaker } from './dir.ts';
import { httpRequestMaker } from './http-request.ts';
import type { Maker } from './maker.ts';
import type { Prop } from './resolve.ts';

/**
 * How `this.<prop>` is made (P3.20 to P3.33); undefined when the prop is left off `this`: an optional
 * one that is unset, and the types that have no value.
 */
export function makerOf(
  prop: Prop,
  configuration: HostConfiguration,
  ask: AskRuntime,
): Maker | undefined {
  const configured = own(configuration.props, prop.name);
  switch (prop.type) {
    case 'app':
      return appMaker(prop, configured, configuration);
    case '$.service.db':
      return dbMaker(prop, configuration);
    case '$.interface.http':
      return httpMaker(prop, configuration);
    case '$.interface.timer':
      return valueMaker(timerValue(prop, configured));
    case '$.interface.apphook':
    case 'alert':
      return undefined;
    case 'data_store':
      return dataStoreMaker(configured, ask);
    case 'http_request':
      return httpRequestMaker(configured);
    case 'dir':
      return dirMaker(configuration.stashDir, ask);
    // Pickers, `sql` and types nobody knows: what was configured (P3.29, P3.32, P3.33).
    default:
      return valueMaker(unwrapLabel(configured, prop.definition['withLabel'] === true));
  }
}

/** A configured value. Objects are copied, so that what an invocation changes does not live on. */
export function valueMaker(value: unknown): Maker | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null) return () => value;
  return () => structuredClone(value);
}

function appMaker(
  prop: Prop,
  configured: unknown,
  configuration: HostConfiguration,
): Maker | undefined {
  const account = isDictionary(configured) ? own(configured, 'authProvisionId') : undefined;
  const auth = typeof account === 'string' ? own(configuration.accounts, account) : undefined;
  if (account === undefined && prop.definition['optional'] === true) return undefined;
  const template = appTemplate(prop.name, prop.definition, isDictionary(auth) ? auth : null);
  return (invocation) => createApp(template, invocation);
}

function dbMaker(prop: Prop, configuration: HostConfiguration): Maker {
  const contents = new DbContents(own(configuration.db, prop.name));
  return (invocation) => createDb(prop.name, contents, invocation);
}

function httpMaker(prop: Prop, configuration: HostConfiguration): Maker {
  const endpoint = own(configuration.endpoints, prop.name);
  const customResponse = prop.definition['customResponse'] === true;
  return (invocation, trigger) => {
    const waits = customResponse && trigger?.kind === 'http' && trigger.prop === prop.name;
    return createHttpInterface(endpoint, waits, invocation);
  };
}

/** `static` cannot be configured away; old components wrote the schedule beside `type` (P3.8, P3.9). */
function timerValue(prop: Prop, configured: unknown): Dictionary {
  const { definition } = prop;
  const schedule =
    [definition['static'], configured, definition['default']].find(isDictionary) ?? definition;
  const cron = schedule['cron'];
  if (typeof cron === 'string') {
    const timezone = schedule['timezone'];
    return { type: prop.type, cron, ...(typeof timezone === 'string' ? { timezone } : {}) };
  }
  const intervalSeconds = schedule['intervalSeconds'] ?? schedule['interval_seconds'];
  return { type: prop.type, ...(intervalSeconds === undefined ? {} : { intervalSeconds }) };
}
