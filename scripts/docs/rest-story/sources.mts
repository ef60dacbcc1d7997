import type { Chapter } from './story.mts';

export const sources: Chapter = {
  title: 'Sources',
  text: 'A source is a component that was deployed: it has an endpoint, a timer or listens to others, and emits events.',
  async tell({ show, call, example }) {
    const component_path = example('http-inbox');
    await show('Deploy a source', 'sources.deploy', { component_path });
    await show('List sources', 'sources.list', { limit: 1 }, { include: 'id,name_slug,active' });
    await show(
      'Read a source',
      'sources.get',
      { id: 'http-inbox' },
      { include: 'id,name,code_hash,endpoint_url' },
    );
    await show(
      'Update a source',
      'sources.update',
      { id: 'http-inbox', component_path, active: true },
      { include: 'id,active,code_hash,updated_at' },
    );
    await call('sources.deploy', { component_path, name: 'Short-lived' });
    await show('Delete a source', 'sources.delete', { id: 'short-lived' });
  },
};
