import type { Chapter } from './story.mts';

export const webhooks: Chapter = {
  title: 'Webhooks',
  text: 'A webhook is an address that events are sent to, once it is [subscribed](#subscribe-a-webhook-to-a-source). [What a webhook gets](#what-a-webhook-gets) says how.',
  async tell({ show, call, receiver }) {
    await show('Create a webhook', 'webhooks.create', {
      url: `${receiver.url}/orders`,
      name: 'My receiver',
    });
    await show('List webhooks', 'webhooks.list', { limit: 1 }, { include: 'id,name,url' });
    await show('Read a webhook', 'webhooks.get', { id: 'my-receiver' });
    await show(
      'Change a webhook',
      'webhooks.update',
      { id: 'my-receiver', name: 'Receiver', active: true },
      { include: 'id,name,active' },
    );
    await call('webhooks.create', { url: `${receiver.url}/other`, name: 'Other' });
    await show(
      'Rotate the signing secret',
      'webhooks.rotateSecret',
      { id: 'other', grace_seconds: 3600 },
      { include: 'id,signing_secret,old_secret_until' },
    );
    await show('Delete a webhook', 'webhooks.delete', { id: 'other' });
  },
};
