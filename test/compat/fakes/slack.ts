/** Stands in for Slack's Web API: conversations by page, and messages. */
import type { AtEnd } from '../../support/at-end.ts';
import { type Answer, type Received, type Fake, startReceiver } from '../../support/receiver.ts';

export interface FakeSlack extends Fake {
  /** Arguments of each call, by method, as the client sent them. */
  readonly called: readonly { readonly method: string; readonly args: Record<string, string> }[];
}

const channels = ['general', 'mill', 'grain'].map((name, n) => ({ id: `C${n}`, name }));

export async function startSlack(token: string, atEnd?: AtEnd): Promise<FakeSlack> {
  const called: { method: string; args: Record<string, string> }[] = [];

  function answer(asked: Received): Answer {
    const method = asked.path.replace('/api/', '');
    if (asked.headers.authorization !== `Bearer ${token}`) {
      return { status: 200, body: { ok: false, error: 'invalid_auth' } };
    }
    const args = Object.fromEntries(new URLSearchParams(asked.body));
    called.push({ method, args });
    const result = results[method]?.(args);
    const failed = { ok: false, error: 'unknown_method' };
    return { status: 200, body: result === undefined ? failed : { ok: true, ...result } };
  }

  return Object.assign(await startReceiver({ answer, atEnd }), { called });
}

const results: Readonly<Record<string, (args: Record<string, string>) => object>> = {
  'conversations.list': page,
  'users.conversations': page,
  'users.list': () => ({
    members: [{ id: 'U1', name: 'ann' }],
    response_metadata: { next_cursor: '' },
  }),
  'chat.postMessage': ({ channel, text }) => ({
    channel,
    ts: '1503435956.000247',
    message: { text },
  }),
  'conversations.info': ({ channel }) => ({ channel: channels.find(({ id }) => id === channel) }),
};

/** As many as asked for, two at most. */
function page({ cursor = '0', limit }: Record<string, string>): object {
  const end = Number(cursor) + Math.min(Number(limit), 2);
  return {
    channels: channels.slice(Number(cursor), end),
    response_metadata: { next_cursor: end < channels.length ? String(end) : '' },
  };
}
