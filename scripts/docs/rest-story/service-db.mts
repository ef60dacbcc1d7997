import type { Chapter } from './story.mts';

export const serviceDb: Chapter = {
  title: "A source's db",
  text: 'What a source keeps in its `$.service.db` prop. It is changed between two runs: a change waits for the run that goes on, 5 s at most, and is refused with 409 then.',
  async tell({ show, call }) {
    const component_code = `export default { name: 'Keeps', props: { db: '$.service.db' }, run() {} };`;
    await call('sources.deploy', { component_code });
    const id = 'keeps';
    await show('Write a key', 'service_db.set', { id, key: 'cursor', value: { page: 2 } });
    await show('List keys', 'service_db.list', { id, limit: 10 });
    await show('Read a key', 'service_db.get', { id, key: 'cursor' });
    await show('Delete a key', 'service_db.delete', { id, key: 'cursor' });
    await show('Delete all keys', 'service_db.clear', { id });
    await call('sources.delete', { id });
  },
};
