/** The event of a trigger as steps read it (pure). */
import type { WholeExecution } from './catalogue.ts';
import { valueOfJson } from './json-text.ts';

/**
 * The value of `steps.trigger.event`, from the stored trigger. A body that is not JSON is text, as in forms and
 * uploads.
 */
export function eventOf(trigger: WholeExecution['trigger']): unknown {
  if (trigger === null) return undefined;
  if (trigger.kind === 'event') return trigger.event;
  if (trigger.kind === 'timer') return { timestamp: trigger.timestamp };
  const { method, path, query, headers, url, client_ip, body } = trigger;
  return {
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers,
    body: valueOfJson(body),
    url,
    client_ip,
  };
}
