/** Stands in for LaunchDarkly's REST API v2: projects, a flag, and webhooks with their deliveries. */
import { createHmac, randomBytes } from 'node:crypto';
import type { AtEnd } from '../../support/at-end.ts';
import {
  type Answer,
  type Received,
  type Fake,
  json,
  startReceiver,
} from '../../support/receiver.ts';

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
  /** The state of the flag `dark` of the project `mill`, by environment. */
  readonly flag: Record<string, { on: boolean }>;
  /** Those that exist now, by id. */
  readonly webhooks: ReadonlyMap<string, LaunchDarklyWebhook>;
  /**
   * Posts an activity to the only webhook there is, signed with its secret or the one given.
   * Resolves with what the receiver answered.
   */
  deliver(activity: Activity, secret?: string): Promise<Response>;
}

/** @param token the only access token that is let in */
export async function startLaunchDarkly(token: string, atEnd?: AtEnd): Promise<FakeLaunchDarkly> {
  const webhooks = new Map<string, LaunchDarklyWebhook>();
  const flag: FakeLaunchDarkly['flag'] = { test: { on: false }, production: { on: true } };
  const answer = (asked: Received): Answer => {
    // No scheme before the token: that is how this API is spoken to.
    if (asked.headers.authorization !== token) {
      return { status: 401, body: { code: 'unauthorized', message: 'Invalid access token' } };
    }
    if (asked.path === '/api/v2/webhooks' && asked.method === 'POST') return create(asked);
    if (asked.path === '/api/v2/projects') return projects(asked);
    if (asked.path === '/api/v2/flags/mill/dark') {
      if (asked.method === 'PATCH') patch(asked);
      return { status: 200, body: { key: 'dark', environments: flag } };
    }
    const [, id] = /^\/api\/v2\/webhooks\/(\w+)$/.exec(asked.path) ?? [];
    if (id !== undefined && asked.method === 'DELETE' && webhooks.delete(id)) {
      return { status: 204 };
    }
    return { status: 404, body: { code: 'not_found', message: 'Unknown resource' } };
  };

  /** The semantic patch, which is told apart by its content type. */
  function patch(asked: Received): void {
    const { environmentKey, instructions } = json(asked) as {
      environmentKey: string;
      instructions: readonly { kind: string }[];
    };
    if (asked.headers['content-type']?.includes('domain-model=launchdarkly.semanticpatch') !== true)
      throw new Error(`Not a semantic patch: ${asked.headers['content-type']}`);
    flag[environmentKey] = { on: instructions[0]?.kind === 'turnFlagOn' };
  }

  function create(asked: Received): Answer {
    const wanted = JSON.parse(asked.body) as Omit<LaunchDarklyWebhook, '_id'>;
    const webhook = { ...wanted, _id: randomBytes(12).toString('hex') };
    webhooks.set(webhook._id, webhook);
    return { status: 201, body: webhook };
  }

  return {
    ...(await startReceiver({ answer, atEnd })),
    flag,
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

/** 250 of them. */
function projects({ query }: Received): Answer {
  const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
  const all = Array.from({ length: 250 }, (_, n) => ({ key: `project-${n}` }));
  return {
    status: 200,
    body: { items: all.slice(offset, offset + limit), totalCount: all.length },
  };
}
