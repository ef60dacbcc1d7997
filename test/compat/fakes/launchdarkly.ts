/** Stands in for LaunchDarkly's REST API v2: webhooks, and the deliveries it makes to them. */
import { createHmac, randomBytes } from 'node:crypto';
import { type Answer, type Asked, type Fake, startFake } from './fake.ts';

/** A webhook as it was asked for. */
export interface LaunchDarklyWebhook {
  readonly _id: string;
  readonly url: string;
  readonly name: string;
  readonly on: boolean;
  readonly sign: boolean;
  readonly secret: string;
  readonly statements: readonly unknown[];
}

/** An audit log entry, the part of it that a receiver reads. */
export interface Activity {
  readonly _id: string;
  readonly kind: string;
  readonly name: string;
  /** Epoch ms. */
  readonly date: number;
}

export interface FakeLaunchDarkly extends Fake {
  /** Those that exist now, by id. */
  readonly webhooks: ReadonlyMap<string, LaunchDarklyWebhook>;
  /**
   * Posts an activity to the only webhook there is, signed with its secret or the one given.
   * Resolves with what the receiver answered.
   */
  deliver(activity: Activity, secret?: string): Promise<Response>;
}

/** @param token the only access token that is let in */
export async function startLaunchDarkly(token: string): Promise<FakeLaunchDarkly> {
  const webhooks = new Map<string, LaunchDarklyWebhook>();
  const fake = await startFake((asked) => {
    // No scheme before the token: that is how this API is spoken to.
    if (asked.headers.authorization !== token) {
      return { status: 401, body: { code: 'unauthorized', message: 'Invalid access token' } };
    }
    if (asked.path === '/api/v2/webhooks' && asked.method === 'POST') return create(asked);
    const [, id] = /^\/api\/v2\/webhooks\/(\w+)$/.exec(asked.path) ?? [];
    if (id !== undefined && asked.method === 'DELETE' && webhooks.delete(id)) {
      return { status: 204 };
    }
    return { status: 404, body: { code: 'not_found', message: 'Unknown resource' } };
  });

  function create(asked: Asked): Answer {
    const wanted = JSON.parse(asked.body) as Omit<LaunchDarklyWebhook, '_id'>;
    const webhook = { ...wanted, _id: randomBytes(12).toString('hex') };
    webhooks.set(webhook._id, webhook);
    return { status: 201, body: webhook };
  }

  return {
    ...fake,
    webhooks,
    deliver(activity, secret) {
      const [webhook] = webhooks.values();
      if (webhook === undefined) throw new Error('LaunchDarkly knows no webhook.');
      const body = JSON.stringify(activity);
      const signature = createHmac('sha256', secret ?? webhook.secret)
        .update(body)
        .digest('hex');
      return fetch(webhook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-ld-signature': signature },
        body,
      });
    },
  };
}
