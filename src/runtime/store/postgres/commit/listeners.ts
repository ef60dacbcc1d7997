import type { Trigger } from '../../../../protocol/host.ts';
import { kindOf } from '../../../../protocol/ids.ts';
import type { TriggeredInvocation } from '../../commit.ts';
import type { EventId } from '../../event-id.ts';
import type { DeliveryRecord, Outgoing } from '../../history/deliveries.ts';
import type { NewEvent } from '../../history/events.ts';
import type { Change } from '../change.ts';
import type { EmitterKey } from '../emitter-keys.ts';
import type { Engine } from '../engine.ts';
import * as tables from '../tables/row-tables.ts';
import type { Webhooks } from '../../tables/webhooks.ts';
import { putInInbox } from './inbox.ts';

/** The events of a write for listeners. */
export interface Told {
  readonly deliveries: Outgoing[];
  readonly triggered: TriggeredInvocation[];
}

export interface WithId<T> {
  readonly id: EventId;
  readonly event: T;
}

/** Within a write: the deliveries and the runs that an event of an emitter leads to. */
export type TellListeners = (
  change: Change,
  told: Told,
  key: EmitterKey,
  made: WithId<NewEvent>,
  hops: number | undefined,
) => void;

export function createListeners(
  { keys, numbers }: Pick<Engine, 'keys' | 'numbers'>,
  webhooks: Pick<Webhooks, 'has'>,
): TellListeners {
  return (change, { deliveries, triggered }, key, made, hops) => {
    const { event } = made;
    for (const webhookId of event.webhooks) {
      // Deleted since the emit room planned the delivery.
      if (webhooks.has(webhookId)) deliveries.push(deliver(change, webhookId, key, made, hops));
    }
    for (const emitterId of event.triggers) {
      const listener = keys.get(emitterId);
      if (listener !== undefined) triggered.push(trigger(change, listener, key, event, hops));
    }
  };

  function deliver(
    change: Change,
    webhookId: string,
    key: EmitterKey,
    { id, event }: WithId<NewEvent>,
    hops = 1,
  ): Outgoing {
    const delivery: DeliveryRecord = {
      n: numbers.next(),
      webhookId,
      emitterId: key.id,
      eventId: event.id,
      status: 'pending',
      attempts: 0,
      nextAt: null,
      createdAt: event.indexedAt,
      lastStatus: null,
      lastError: null,
    };
    change.insert(tables.deliveries, {
      n: delivery.n,
      webhook_id: webhookId,
      emitter: key.row,
      ...id,
      status: delivery.status,
      attempts: 0,
      created_at: event.indexedAt,
    });
    return { delivery, message: { emitId: event.emitId, payload: event.payload, hops } };
  }

  function trigger(
    change: Change,
    listener: EmitterKey,
    key: EmitterKey,
    event: NewEvent,
    hops: number | undefined,
  ): TriggeredInvocation {
    const made: Trigger = {
      kind: 'event',
      json: event.payload,
      ...(hops !== undefined && { hops }),
      // A workflow may listen to several emitters, so the event names its own; a source does not need that.
      ...(kindOf(listener.id) === 'workflow' && { emitterId: key.id }),
    };
    const asked = { cause: 'event', trigger: made, at: event.indexedAt } as const;
    return {
      n: putInInbox(change, numbers, listener, asked),
      emitterId: listener.id,
      trigger: made,
    };
  }
}
