/**
 * The values that a component runs with: the configured ones, the default of each other prop, and the props that
 * `additionalProps` adds (P3.6, P6). The runtime uses it for sources, actions and forms, a workflow's process for steps.
 */
import { accountIn } from './account-value.ts';
import type { ComponentDefinition, ConfigurableProp } from './definition.ts';
import { own } from './own.ts';
import { isRecord } from './record.ts';

/** Configured values by prop name. */
export type Configured = Readonly<Record<string, unknown>>;

/** When a timer ticks: every so many seconds, or by a cron expression. */
export type TimerSchedule =
  | { readonly intervalSeconds: number }
  | { readonly cron: string; readonly timezone?: string };

/** Reads both spellings: what people configure (`intervalSeconds`) and what replies show (`interval_seconds`). */
export function readTimer(value: unknown): TimerSchedule | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { cron, timezone, intervalSeconds, interval_seconds } = value as Record<string, unknown>;
  if (typeof cron === 'string' && cron.trim() !== '') {
    return { cron: cron.trim(), ...(typeof timezone === 'string' ? { timezone } : {}) };
  }
  const seconds = Number(intervalSeconds ?? interval_seconds ?? Number.NaN);
  return seconds > 0 && Number.isFinite(seconds) ? { intervalSeconds: seconds } : undefined;
}

/** One spelling for every accepted form; undefined for a value that nobody would configure. */
export function normalised(prop: ConfigurableProp, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (/^\$\.(service\.db|interface\.(http|apphook))$|^alert$/.test(prop.type)) return undefined;
  if (prop.type === '$.interface.timer') return readTimer(value) ?? value;
  if (prop.type === 'app') {
    const id = accountIn(value);
    return id === undefined ? value : { authProvisionId: id };
  }
  if (prop.secret === true && isSecretPlaceholder(value)) return undefined;
  return value;
}

/** `{"secret": true}`, which replies have instead of a secret. */
export function isSecretPlaceholder(value: unknown): boolean {
  return isRecord(value) && value['secret'] === true && Object.keys(value).length === 1;
}

/**
 * The values that a component runs with: every value in one spelling, and the default of each prop without a value.
 * Defaults apply to optional props, too (P3.6): 72 of 245 published components have such props, and some read them
 * without a check.
 */
export function withDefaults(
  { props }: Pick<ComponentDefinition, 'props'>,
  configured: Configured,
): Configured {
  const complete = new Map(Object.entries(configured).filter(([, value]) => value !== null));
  for (const prop of props) {
    // Null leaves an optional prop out, its default too.
    const leftOut = own(configured, prop.name) === null && prop.optional === true;
    const value =
      normalised(prop, complete.get(prop.name)) ?? (leftOut ? undefined : defaultOf(prop));
    if (value === undefined) complete.delete(prop.name);
    else complete.set(prop.name, value);
  }
  return Object.fromEntries(complete);
}

function defaultOf(prop: ConfigurableProp): unknown {
  if (prop.disabled === true) return undefined;
  return normalised(prop, prop.default);
}

/**
 * A set may hold props that ask for another one (`reloadProps`), and a default that is filled in is an
 * answer: the call is repeated until nothing changes, but at most so often (our decision).
 */
const mostRounds = 8;

/**
 * Computes the final set of props of a component that has `additionalProps`.
 * @param compute calls `additionalProps` with these values; undefined ends it without a set
 * @returns undefined when `compute` gave no set
 */
export async function settleProps(
  declared: readonly ConfigurableProp[],
  given: Configured,
  compute: (values: Configured) => Promise<readonly ConfigurableProp[] | undefined>,
): Promise<readonly ConfigurableProp[] | undefined> {
  let values = withDefaults({ props: declared }, given);
  for (let round = 1; ; round += 1) {
    const props = await compute(values);
    if (props === undefined) return undefined;
    const before = values;
    values = withDefaults({ props }, given);
    if (round === mostRounds || reloadKey(props, before) === reloadKey(props, values)) return props;
  }
}

/** The values of the props that `additionalProps` is called for, as one text: equal texts have the same set. */
export function reloadKey(props: readonly ConfigurableProp[], values: Configured): string {
  const names = props.filter(({ reloadProps }) => reloadProps === true).map(({ name }) => name);
  return JSON.stringify(names.map((name) => own(values, name)));
}
