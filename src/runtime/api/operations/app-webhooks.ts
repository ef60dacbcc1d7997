/**
 * The address where an app sends its events, as interfaces show it: of an app, an account, a source. Never the secret.
 */
import type { ApiServices } from './api-services.ts';
import type { AccountWebhook, App, Source } from '../../../protocol/catalogue.ts';
import type { AppWebhook } from '../../accounts/apps/webhook-schema.ts';
import { appHooksOf } from '../../sources/app-hooks-of.ts';
import type { SourceRecord } from '../../store/configuration/sources.ts';

export interface AppWebhookParts extends Pick<
  ApiServices,
  'appHooks' | 'signingSecrets' | 'endpointUrl'
> {}

export function presentAppWebhook(webhook: AppWebhook): NonNullable<App['webhook']> {
  const { register, secret, one_address } = webhook;
  return { register, secret_name: secret, one_address };
}

/** Undefined when no definition of its app says how it sends events. */
export function accountWebhook(
  { appHooks, signingSecrets, endpointUrl }: AppWebhookParts,
  { id, app }: { readonly id: string; readonly app: string },
): AccountWebhook | undefined {
  const webhook = appHooks.webhookOf(app);
  return (
    webhook && {
      ...presentAppWebhook(webhook),
      url: endpointUrl(signingSecrets.addressOf(id)),
      has_secret: signingSecrets.has(id),
    }
  );
}

/** The webhook of its first apphook. Undefined if no apphook gets events here. */
export function sourceWebhook(parts: AppWebhookParts, record: SourceRecord): Source['webhook'] {
  const [hook] = appHooksOf(record);
  const webhook = hook && parts.appHooks.webhookOf(hook.app);
  if (hook === undefined || webhook === undefined) return undefined;
  const { app, account = null, eventNames } = hook;
  const ofAccount = account === null ? undefined : accountWebhook(parts, { id: account, app });
  return {
    ...presentAppWebhook(webhook),
    app,
    account,
    // An app that takes one address is given the one that feeds all sources of the account.
    url: webhook.one_address ? (ofAccount?.url ?? null) : parts.endpointUrl(hook.id),
    has_secret: ofAccount?.has_secret === true,
    event_names: eventNames === null ? null : [...eventNames],
  };
}
