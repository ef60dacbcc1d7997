/** Requests as apps sign and send them, written from the vendors' documentation. */
import { createHmac } from 'node:crypto';

export interface Sent {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

interface Signing {
  readonly secret: string;
  /** Epoch seconds; now unless given. */
  readonly at?: number;
  /** What is sent in place of what was signed. */
  readonly tampered?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

async function post(url: string, body: string, headers: Record<string, string>): Promise<Sent> {
  const response = await fetch(url, { method: 'POST', headers, body });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: await response.text(),
  };
}

/** A request of Slack: JSON of its Events API, or a form with a payload, as interactions are sent. */
export function sendAsSlack(
  url: string,
  content: object,
  {
    secret,
    at = Date.now() / 1000,
    tampered,
    headers,
    as = 'json',
  }: Signing & { as?: 'json' | 'form' },
): Promise<Sent> {
  const json = JSON.stringify(content);
  const body = as === 'json' ? json : new URLSearchParams({ payload: json }).toString();
  const seconds = String(Math.floor(at));
  return post(url, tampered ?? body, {
    'content-type': as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': seconds,
    'x-slack-signature': `v0=${hmac(secret, `v0:${seconds}:${body}`)}`,
    ...headers,
  });
}

export function sendAsZoom(
  url: string,
  content: object,
  { secret, at = Date.now() / 1000, tampered, headers }: Signing,
): Promise<Sent> {
  const body = JSON.stringify(content);
  const seconds = String(Math.floor(at));
  return post(url, tampered ?? body, {
    'content-type': 'application/json',
    'x-zm-request-timestamp': seconds,
    'x-zm-signature': `v0=${hmac(secret, `v0:${seconds}:${body}`)}`,
    ...headers,
  });
}

export function sendAsGitHub(
  url: string,
  event: string,
  content: object,
  { secret, tampered, headers, delivery }: Signing & { readonly delivery: string },
): Promise<Sent> {
  const body = JSON.stringify(content);
  return post(url, tampered ?? body, {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': delivery,
    'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
    ...headers,
  });
}
