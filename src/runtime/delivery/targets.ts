import type { WebhookTable } from '../store/store.ts';
import { signingKeys, type SigningKeys } from './sign.ts';

export interface Target {
  readonly url: string;
  readonly active: boolean;
  /** Throws `store_failed` when the secret cannot be opened. */
  keys(): SigningKeys;
}

/** Webhooks as delivery needs them, each with its keys made once. */
export class Targets {
  readonly #webhooks: Pick<WebhookTable, 'get'>;
  readonly #openSecret: (sealed: string) => string;
  readonly #known = new Map<string, Target>();

  constructor(webhooks: Pick<WebhookTable, 'get'>, openSecret: (sealed: string) => string) {
    this.#webhooks = webhooks;
    this.#openSecret = openSecret;
  }

  /** Undefined when the webhook is gone. */
  get(webhookId: string): Target | undefined {
    const known = this.#known.get(webhookId);
    if (known !== undefined) return known;
    const record = this.#webhooks.get(webhookId);
    if (record === undefined) return undefined;
    let keys: SigningKeys | undefined;
    const target: Target = {
      url: record.url,
      active: record.active,
      keys: () => (keys ??= signingKeys(this.#openSecret(record.signingSecret))),
    };
    this.#known.set(webhookId, target);
    return target;
  }

  /** It has changed or is gone. */
  forget(webhookId: string): void {
    this.#known.delete(webhookId);
  }
}
