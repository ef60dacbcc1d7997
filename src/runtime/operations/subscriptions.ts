import { WeirError } from '../../protocol/errors.ts';
import type { Parsed } from '../../protocol/catalogue.ts';
import type { Signals } from '../signals.ts';
import type { SubscriptionRecord } from '../store/configuration/subscriptions.ts';
import type { Store } from '../store/store.ts';
import { findNamed } from './find-named.ts';
import type { Handlers } from './operations.ts';
import {
  pageRequest,
  presentAutoSubscription,
  presentPage,
  presentSubscription,
} from './present.ts';
import { deployedSource } from './show-source.ts';

type SubscriptionHandlers = Pick<
  Handlers,
  | 'subscriptions.list'
  | 'subscriptions.create'
  | 'subscriptions.delete'
  | 'autoSubscriptions.list'
  | 'autoSubscriptions.create'
  | 'autoSubscriptions.delete'
>;

export interface SubscriptionHandlerParts {
  readonly store: Pick<Store, 'sources' | 'webhooks' | 'subscriptions' | 'autoSubscriptions'>;
  readonly signals: Signals;
  readonly newId: (prefix: 'sub_' | 'asub_') => string;
}

export function subscriptionHandlers(parts: SubscriptionHandlerParts): SubscriptionHandlers {
  const { store, signals, newId } = parts;
  return {
    'subscriptions.list': (params) =>
      presentPage(store.subscriptions.list(pageRequest(params)), presentSubscription),
    'subscriptions.create': async (params) => {
      const emitterId = emitterOf(store, params.emitter_id);
      const listenerId = listenerOf(store, params.listener_id);
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
      const listenerId = listenerOf(store, listener_id);
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

/** The same one twice is one. */
async function subscribe(
  { store, signals, newId }: SubscriptionHandlerParts,
  wished: Omit<SubscriptionRecord, 'id'>,
): Promise<SubscriptionRecord> {
  const { record, created } = await store.subscriptions.ensure({ id: newId('sub_'), ...wished });
  if (created) signals.emit('subscription', record.id);
  return record;
}

function findSubscription(
  store: Pick<Store, 'sources' | 'webhooks' | 'subscriptions'>,
  params: Parsed<'subscriptions.delete'>,
): SubscriptionRecord {
  const { subscription_id: id, emitter_id, listener_id, event_name = '' } = params;
  let found: SubscriptionRecord | undefined;
  if (id !== undefined) found = store.subscriptions.get(id);
  else if (emitter_id !== undefined && listener_id !== undefined) {
    const [emitter, listener] = [emitterOf(store, emitter_id), listenerOf(store, listener_id)];
    found = store.subscriptions.find(emitter, listener, event_name);
  }
  if (found !== undefined) return found;
  throw new WeirError(
    'not_found',
    'There is no such subscription. Name it by its id, or by emitter_id, listener_id and the event_name it was made with.',
  );
}

/** A source by id or slug, or all of them (P18.3). */
function emitterOf(store: Pick<Store, 'sources'>, emitter: string): string {
  if (emitter === 'dc_*') return emitter;
  const source = deployedSource(store, emitter);
  if (source !== undefined) return source.id;
  throw new WeirError(
    'not_found',
    `There is no emitter "${emitter}". Name a source, or dc_* for all.`,
  );
}

/** A webhook by id or name, or a source by id or slug, while no other has it (P21.11). */
function listenerOf(store: Pick<Store, 'sources' | 'webhooks'>, listener: string): string {
  const sources = store.sources
    .all()
    .filter(({ deploying }) => !deploying)
    .map(({ id, slug }) => ({ id, name: slug }));
  const listeners = [...store.webhooks.all(), ...sources];
  return findNamed('listener', listeners, listener, 'Name a webhook or a source.').id;
}
