import type { Chapter } from './story.mts';

export const keys: Chapter = {
  title: 'Keys',
  text: 'One for each person or program, so that each can be taken away by itself. Only a hash is kept: a key is shown once.',
  async tell({ show }) {
    await show('Make a key', 'keys.add', { name: 'grafana', scope: 'read' });
    await show('List the keys', 'keys.list', {});
    await show('Remove a key', 'keys.remove', { name: 'grafana' });
  },
};
