/** The trigger of a run, as every interface shows it (pure). */
import { isUtf8 } from 'node:buffer';
import type { StoredTrigger } from '../../../protocol/catalogue.ts';
import type { HttpTrigger, Trigger } from '../../../protocol/host.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';

export function presentTrigger(trigger: Trigger): StoredTrigger {
  switch (trigger.kind) {
    case 'http':
      return presentRequest(trigger);
    case 'timer': {
      const { kind, prop, timestamp, intervalSeconds, cron, timezone } = trigger;
      return {
        kind,
        prop,
        timestamp,
        interval_seconds: intervalSeconds ?? null,
        cron: cron ?? null,
        timezone: timezone ?? null,
      };
    }
    case 'event':
      return { kind: 'event', event: trigger.json === '' ? {} : valueOfJson(trigger.json) };
    default:
      return trigger satisfies never;
  }
}

/** A body that is not text comes as base64: what was sent is shown byte for byte either way. */
function presentRequest(trigger: HttpTrigger): StoredTrigger {
  const { kind, prop, method, url, path, query, headers, clientIp, rawBodyUrl } = trigger;
  const body = Buffer.from(trigger.body);
  const encoding = isUtf8(body) ? 'utf8' : 'base64';
  return {
    kind,
    prop,
    method,
    url,
    path,
    query,
    headers: { ...headers },
    client_ip: clientIp,
    body: body.toString(encoding),
    body_encoding: encoding,
    body_bytes: body.length,
    raw_body_url: rawBodyUrl ?? null,
  };
}
