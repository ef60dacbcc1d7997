import type { HostConfiguration, Trigger } from '../../../protocol/host.ts';
import { own } from '../../../protocol/own.ts';
import type { AskRuntime } from '../channel/requests.ts';
import type { ResolvedProp } from '../module/props.ts';
import { createDb, DbContents } from '../output/db.ts';
import type { Invocation } from '../output/invocation.ts';
import { isDictionary, type Dictionary } from '../values.ts';
import { accountOf, appTemplate, createApp } from './app.ts';
import { dataStoreFactory } from './data-store.ts';
import { dirFactory } from './dir.ts';
import { createHttpInterface } from './http-interface.ts';
import { httpRequestFactory } from './http-request.ts';

/** Creates `this.<prop>` for one invocation. */
export type PropFactory = (invocation: Invocation, trigger: Trigger | null) => unknown;

/**
 * How `this.<prop>` is created (P3.20 to P3.33); undefined when the prop is left off `this`: an optional
 * one that is unset, and the types that have no value.
 */
export function propFactory(
  prop: ResolvedProp,
  configuration: HostConfiguration,
  askRuntime: AskRuntime,
  isOfAction: boolean,
): PropFactory | undefined {
  const configured = own(configuration.props, prop.name);
  switch (prop.type) {
    case 'app':
      return appFactory(prop, configured, configuration);
    case '$.service.db':
      return dbFactory(prop, configuration);
    case '$.interface.http':
      return httpInterfaceFactory(prop, configuration);
    case '$.interface.timer':
      return configuredValueFactory(schedule(prop, configured));
    case '$.interface.apphook':
    case 'alert':
      return undefined;
    case 'data_store':
      return dataStoreFactory(configured, askRuntime);
    case 'http_request':
      return httpRequestFactory(configured, isOfAction);
    case 'dir':
      return dirFactory(configuration.stashDir, askRuntime);
    // Pickers, `sql` and unknown types: what was configured (P3.29, P3.32, P3.33).
    default:
      return configuredValueFactory(plainOrLabelled(prop.definition, configured));
  }
}

/** A configured value. Objects are copied, so that what one invocation changes is not seen by the next. */
export function configuredValueFactory(value: unknown): PropFactory | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null) return () => value;
  return () => structuredClone(value);
}

function appFactory(
  prop: ResolvedProp,
  configured: unknown,
  configuration: HostConfiguration,
): PropFactory | undefined {
  if (accountOf(configured) === undefined && prop.definition['optional'] === true) return undefined;
  const template = appTemplate(prop.name, prop.definition, configured, configuration.accounts);
  return (invocation) => createApp(template, invocation);
}

function dbFactory(prop: ResolvedProp, configuration: HostConfiguration): PropFactory {
  const contents = contentsOf(configuration, prop.name);
  return (invocation) => createDb(prop.name, contents, invocation);
}

/**
 * One content for all props that are configured with the same db: a step whose props are expressions is configured
 * again for each run, and must find the values that the previous run set.
 */
function contentsOf({ db }: HostConfiguration, prop: string): DbContents {
  const known = allContents.get(db) ?? new Map<string, DbContents>();
  allContents.set(db, known);
  const contents = known.get(prop) ?? new DbContents(own(db, prop));
  known.set(prop, contents);
  return contents;
}

const allContents = new WeakMap<object, Map<string, DbContents>>();

function httpInterfaceFactory(prop: ResolvedProp, configuration: HostConfiguration): PropFactory {
  const endpoint = own(configuration.endpoints, prop.name);
  const customResponse = prop.definition['customResponse'] === true;
  return (invocation, trigger) => {
    const waits = customResponse && trigger?.kind === 'http' && trigger.prop === prop.name;
    return createHttpInterface(endpoint, waits, invocation);
  };
}

/** `static` cannot be configured away; old components wrote the schedule beside `type` (P3.8, P3.9). */
function schedule(prop: ResolvedProp, configured: unknown): Dictionary {
  const { definition } = prop;
  const given =
    [definition['static'], configured, definition['default']].find(isDictionary) ?? definition;
  const cron = given['cron'];
  if (typeof cron === 'string') {
    const timezone = given['timezone'];
    return { type: prop.type, cron, ...(typeof timezone === 'string' ? { timezone } : {}) };
  }
  const intervalSeconds = given['intervalSeconds'] ?? given['interval_seconds'];
  return { type: prop.type, ...(intervalSeconds === undefined ? {} : { intervalSeconds }) };
}

/** A bare value of a fixed option gets its label, whichever way it was configured (P3.10). */
function plainOrLabelled(definition: Dictionary, configured: unknown): unknown {
  const withLabel = definition['withLabel'] === true;
  const value = unwrapLabel(configured, withLabel);
  const { options } = definition;
  if (!withLabel || !Array.isArray(options)) return value;
  const labelled = (one: unknown): unknown => {
    if (isDictionary(one)) return one;
    const option = (options as unknown[]).find((known) => valueOf(known) === one);
    if (option === undefined) return one;
    const label = isDictionary(option) ? own(option, 'label') : undefined;
    return { label: label ?? String(one), value: one };
  };
  return Array.isArray(value) ? value.map(labelled) : labelled(value);
}

/**
 * Takes the `{"__lv": …}` envelope off a configured value (P3.10, P4.1): the bare value, or
 * `{label, value}` when the prop has `withLabel`. Values without an envelope stay as they are.
 */
export function unwrapLabel(configured: unknown, withLabel: boolean): unknown {
  if (Array.isArray(configured)) return configured.map((item) => unwrapLabel(item, withLabel));
  if (!isDictionary(configured) || !Object.hasOwn(configured, '__lv')) return configured;
  const inner = configured['__lv'];
  if (withLabel) return inner;
  return Array.isArray(inner) ? inner.map(valueOf) : valueOf(inner);
}

function valueOf(option: unknown): unknown {
  return isDictionary(option) && Object.hasOwn(option, 'value') ? own(option, 'value') : option;
}
