import type { Chapter } from './story.mts';

export const events: Chapter = {
  title: 'Events',
  text: 'The id of an event is also the cursor to page with, and what a [stream](#streams) is resumed after.',
  async tell({ show, call }) {
    const id = 'http-inbox';
    await show('List the events of a source', 'events.list', { id, limit: 1, expand: 'event' });
    const { data } = await call('events.list', { id });
    const [newest] = data;
    await show(
      'Read an event',
      'events.get',
      { id, event_id: newest?.id ?? '' },
      { include: 'id,event,dropped' },
    );

    const oldest = data.at(-1)?.id ?? '';
    await show('Delete events', 'events.delete', { id, start_id: oldest, end_id: oldest });
  },
};
