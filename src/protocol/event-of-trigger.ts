/** The event of a trigger as steps read it (pure). */
import type { WholeExecution } from './catalogue.ts';
import { valueOfJson } from './json-text.ts';

/**
 * What `steps.trigger.event` was, from the trigger that is kept. A body that is no JSON is text, as forms and uploads
 * are.
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
