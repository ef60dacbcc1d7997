import { WeirError } from '../../../protocol/errors.ts';
import type { Parsed } from '../../../protocol/catalogue.ts';
import type { SubscriptionRecord } from '../../store/configuration/subscriptions.ts';
import type { Store } from '../../store/store.ts';
import { type EmitterStore, lookUpEmitter } from './find-emitter.ts';
import { lookUpNamed } from './find-named.ts';
import type { Handlers } from './operations.ts';
import {
  pageRequest,
  presentAutoSubscription,
  presentPage,
  presentSubscription,
} from './present.ts';
import type { Services } from '../../events/services.ts';

type SubscriptionHandlers = Pick<
  Handlers,
  | 'subscriptions.list'
  | 'subscriptions.create'
  | 'subscriptions.delete'
  | 'autoSubscriptions.list'
  | 'autoSubscriptions.create'
  | 'autoSubscriptions.delete'
>;

export interface SubscriptionHandlerParts extends Pick<Services, 'signals' | 'newId'> {
  readonly store: EmitterStore & Pick<Store, 'webhooks' | 'subscriptions' | 'autoSubscriptions'>;
}

export function subscriptionHandlers(parts: SubscriptionHandlerParts): SubscriptionHandlers {
  const { store, signals, newId } = parts;
  return {
    'subscriptions.list': (params) =>
      presentPage(store.subscriptions.list(pageRequest(params)), presentSubscription),
    'subscriptions.create': async (params) => {
      const emitterId = requireEmitter(store, params.emitter_id);
      const listenerId = requireListener(store, params.listener_id);
      const channel = params.event_name ?? '';
      const made = presentSubscription(await subscribe(parts, { emitterId, listenerId, channel }));
      const warning = selfWarning(emitterId, listenerId, channel);
      return warning === undefined ? made : { ...made, warnings: [warning] };
    },
    'subscriptions.delete': async (params) => {
      const found = findSubscription(store, params);
      await store.subscriptions.delete(found.id);
      signals.emit('subscriptionDeleted', found.id);
      return {};
    },

    'autoSubscriptions.list': (params) =>
      presentPage(store.autoSubscriptions.list(pageRequest(params)), presentAutoSubscription),
    'autoSubscriptions.create': async ({ event_name: channel, listener_id }) => {
      const listenerId = requireListener(store, listener_id);
      const id = newId('asub_');
      const { record } = await store.autoSubscriptions.ensure({ id, listenerId, channel });
      return presentAutoSubscription(record);
    },
    'autoSubscriptions.delete': async ({ id }) => {
      if (store.autoSubscriptions.get(id) === undefined) {
        throw new WeirError('not_found', `There is no auto-subscription ${id}.`);
      }
      await store.autoSubscriptions.delete(id);
      return {};
    },
  };
}

/** On a named channel published sources do it on purpose; on the default one everything they emit comes back. */
function selfWarning(emitter: string, listener: string, channel: string): string | undefined {
  if (emitter !== listener || channel !== '') return undefined;
  return `${emitter} now listens to itself on its default channel: all that it emits runs it again, until Weir ends the ring. Use a named channel (event_name), or delete the subscription.`;
}

/** Subscribing twice makes one subscription. */
async function subscribe(
  { store, signals, newId }: SubscriptionHandlerParts,
  wished: Omit<SubscriptionRecord, 'id'>,
): Promise<SubscriptionRecord> {
  const { record, created } = await store.subscriptions.ensure({ id: newId('sub_'), ...wished });
  if (created) signals.emit('subscription', record.id);
  return record;
}

function findSubscription(
  store: EmitterStore & Pick<Store, 'webhooks' | 'subscriptions'>,
  params: Parsed<'subscriptions.delete'>,
): SubscriptionRecord {
  const { emitter_id: emitter = '', listener_id: listener = '' } = params;
  const emitterOf = (idOrSlug: string): string | undefined => lookUpEmitter(store, idOrSlug)?.id;
  const found =
    params.subscription_id === undefined
      ? store.subscriptions.find(
          emitterOf(emitter) ?? emitter,
          emitterOf(listener) ?? lookUpNamed(store.webhooks.all(), listener)?.id ?? listener,
          params.event_name ?? '',
        )
      : store.subscriptions.get(params.subscription_id);
  if (found !== undefined) return found;
  throw new WeirError(
    'not_found',
    'There is no such subscription. Name it by its id, or by emitter_id, listener_id and the event_name it was made with.',
  );
}

/** A source or workflow by id or slug, or all of a kind (P18.3). */
function requireEmitter(store: EmitterStore, emitter: string): string {
  if (emitter === 'dc_*' || emitter === 'p_*') return emitter;
  const found = lookUpEmitter(store, emitter);
  if (found !== undefined) return found.id;
  throw new WeirError(
    'not_found',
    `There is no emitter "${emitter}". Name a source or a workflow, dc_* for all sources, or p_* for all workflows.`,
  );
}

/** A source or workflow by id or slug, else a webhook by id or name (P21.11). */
function requireListener(store: EmitterStore & Pick<Store, 'webhooks'>, listener: string): string {
  const found = lookUpEmitter(store, listener) ?? lookUpNamed(store.webhooks.all(), listener);
  if (found !== undefined) return found.id;
  throw new WeirError(
    'not_found',
    `There is no listener "${listener}". Name a webhook, a source or a workflow.`,
  );
}
