import type { ComponentDefinition } from '../../../protocol/definition.ts';
import { own } from '../../../protocol/own.ts';
import type { Configured } from './configured.ts';
import { timerOf } from './timer.ts';

/**
 * Configured values as replies show them (P4.3, P4.4): a timer as `{cron, interval_seconds}`, an HTTP interface as
 * `{endpoint_url}`, a secret as `{secret: true}`. Values of props that the definition does not have are left out,
 * because one may have been a secret of older code.
 *
 * @param configured secret values sealed or open; they are not read
 * @param endpoints endpoint URL of every HTTP interface, by prop name
 */
export function presentProps(
  definition: ComponentDefinition,
  configured: Configured,
  endpoints: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const shown = new Map<string, unknown>();
  for (const prop of definition.props) {
    const value = own(configured, prop.name);
    if (prop.type === '$.interface.http') {
      const endpoint = own(endpoints, prop.name);
      if (endpoint !== undefined) shown.set(prop.name, { endpoint_url: endpoint });
    } else if (prop.type === '$.interface.timer') {
      const timer = timerOf(prop, value);
      if (timer !== undefined) {
        shown.set(
          prop.name,
          'cron' in timer
            ? { ...timer, interval_seconds: null }
            : { cron: null, interval_seconds: timer.intervalSeconds },
        );
      }
    } else if (value !== undefined) {
      shown.set(prop.name, prop.secret === true ? { secret: true } : value);
    }
  }
  return Object.fromEntries(shown);
}
