import type { HttpTrigger, TimerTrigger, Trigger } from '../protocol/host.ts';
import type { AskRuntime } from './asks.ts';
import { parseBody, parseQuery } from './body.ts';

/** What `run(event)` gets (P7, P8). A promise only where parsing has to wait (multipart). */
export function triggerEvent(trigger: Trigger, ask: AskRuntime): unknown {
  if (trigger.kind === 'http') return httpEvent(trigger, ask);
  if (trigger.kind === 'timer') return timerEvent(trigger);
  // Never undefined: components destructure their argument (P8.15).
  return trigger.json === '' ? {} : (JSON.parse(trigger.json) as unknown);
}

function httpEvent(trigger: HttpTrigger, ask: AskRuntime): unknown {
  const { buffer, byteOffset, byteLength } = trigger.body;
  const bodyRaw = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  const body = parseBody(trigger, bodyRaw, ask);
  if (body instanceof Promise) return body.then((parsed) => assemble(trigger, bodyRaw, parsed));
  return assemble(trigger, bodyRaw, body);
}

function assemble(trigger: HttpTrigger, bodyRaw: string, body: unknown): unknown {
  return {
    method: trigger.method,
    path: trigger.path,
    query: parseQuery(trigger.query),
    headers: trigger.headers,
    bodyRaw,
    body,
    url: trigger.url,
    client_ip: trigger.clientIp,
  };
}

/** A cron tick has no `interval_seconds`: components tell the two apart by it (P8.2). */
function timerEvent(trigger: TimerTrigger): unknown {
  const { timestamp, cron, intervalSeconds, timezone } = trigger;
  if (cron === undefined) return { timestamp, interval_seconds: intervalSeconds };
  return { timestamp, cron, ...(timezone === undefined ? {} : { timezone }) };
}
