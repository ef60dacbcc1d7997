import type { WebhookTable } from '../../store/configuration/webhooks.ts';
import { signingKeys, type SigningKeys } from './sign.ts';

export interface Target {
  readonly url: string;
  readonly active: boolean;
  /** The newest first. Throws `store_failed` when a secret cannot be opened. @param now epoch ms */
  keys(now: number): readonly SigningKeys[];
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
    const { url, active, signingSecret, oldSecret } = record;
    const open = (sealed: string) => signingKeys(this.#openSecret(sealed));
    let current: readonly SigningKeys[] | undefined;
    let both: readonly SigningKeys[] | undefined;
    const target: Target = {
      url,
      active,
      keys(now) {
        current ??= [open(signingSecret)];
        if (oldSecret === undefined || oldSecret.until <= now) return current;
        return (both ??= [...current, open(oldSecret.sealed)]);
      },
    };
    this.#known.set(webhookId, target);
    return target;
  }

  /** It has changed or is gone. */
  forget(webhookId: string): void {
    this.#known.delete(webhookId);
  }
}
