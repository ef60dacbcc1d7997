import { until } from '../../../test/support/until.ts';
import type { Chapter } from './story.mts';

export const deliveries: Chapter = {
  title: 'Deliveries',
  text: 'A delivery is one event on its way to one webhook, with every attempt kept.',
  async tell({ show, call, post, receiver }) {
    const id = 'http-inbox';
    const { endpoint_url } = await call('sources.get', { id });
    await post(endpoint_url, { id: 4, title: 'Fourth order' });
    const delivery = await until('a delivery', async (seen) => {
      const { data } = seen(await call('deliveries.list', { status: 'delivered' }));
      return data[0];
    });
    await show('List deliveries', 'deliveries.list', { status: 'delivered', limit: 1 });
    await show('List the deliveries of an event', 'events.deliveries', {
      id,
      event_id: delivery.event_id,
    });
    await show('Read a delivery', 'deliveries.get', { id: delivery.id }, { exclude: 'attempts' });
    await show(
      'Send a delivery again',
      'deliveries.redeliver',
      { id: delivery.id },
      { include: 'id,status,attempt_count,signed' },
    );

    receiver.status = 500;
    await post(endpoint_url, { id: 5, title: 'Fifth order' });
    await until('a failed delivery', async (seen) => {
      const { data } = seen(await call('deliveries.list', { status: 'retrying' }));
      return data[0];
    });
    receiver.status = 200;
    await show('Send again what failed', 'deliveries.redeliverAll', { failed: true });
  },
};
