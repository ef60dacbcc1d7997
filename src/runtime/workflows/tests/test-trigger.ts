/** Makes the trigger of a source in a test, from the event in its file (pure). */
import type { ComponentDefinition } from '../../../protocol/definition.ts';
import type { Trigger } from '../../../protocol/host.ts';
import { isRecord } from '../../../protocol/record.ts';

/**
 * An event that looks like a request is one, for a source with an endpoint: so it can answer. Everything else is what `run`
 * gets.
 */
export function testTrigger(
  event: unknown,
  { props }: Pick<ComponentDefinition, 'props'>,
): Trigger {
  const endpoint = props.find(({ type }) => type === '$.interface.http');
  if (endpoint === undefined || !isRecord(event) || typeof event['method'] !== 'string') {
    return { kind: 'event', json: JSON.stringify(event ?? {}) };
  }
  const { method, path, query, headers, url, client_ip: ip, body } = event;
  const text =
    body === undefined || body === null
      ? ''
      : typeof body === 'string'
        ? body
        : JSON.stringify(body);
  return {
    kind: 'http',
    prop: endpoint.name,
    method,
    url: textOr(url, 'http://127.0.0.1/'),
    path: textOr(path, '/'),
    query: new URLSearchParams(texts(query)).toString(),
    headers: texts(headers),
    clientIp: textOr(ip, '127.0.0.1'),
    body: Buffer.from(text, 'utf8'),
  };
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function texts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]));
}
