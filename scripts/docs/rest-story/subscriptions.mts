import type { Chapter } from './story.mts';

export const subscriptions: Chapter = {
  title: 'Subscriptions',
  text: 'A subscription joins an emitter to a listener. The emitter is a source or a [workflow](#workflows); `dc_*` and `p_*` stand for all of them. The listener is a webhook, or a source or workflow that runs for each event. `event_name` is the channel, empty for the default one.',
  async tell({ show, call }) {
    const { id: listener_id } = await call('webhooks.get', { id: 'receiver' });
    const { id: emitter_id } = await call('sources.get', { id: 'http-inbox' });
    await show('Subscribe a webhook to a source', 'subscriptions.create', {
      emitter_id,
      listener_id,
    });
    await show('List subscriptions', 'subscriptions.list', { limit: 1 });
    await call('subscriptions.create', { emitter_id, listener_id, event_name: 'refunds' });
    await show('Delete a subscription', 'subscriptions.delete', {
      emitter_id,
      listener_id,
      event_name: 'refunds',
    });

    const { id } = await show(
      'Subscribe a webhook to the errors of all new sources',
      'autoSubscriptions.create',
      {
        event_name: '$errors',
        listener_id,
      },
    );
    await show('List automatic subscriptions', 'autoSubscriptions.list', { limit: 1 });
    await show('Delete an automatic subscription', 'autoSubscriptions.delete', { id });
  },
};
