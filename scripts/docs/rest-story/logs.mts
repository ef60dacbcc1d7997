import type { Chapter } from './story.mts';

export const logs: Chapter = {
  title: 'Logs',
  async tell({ show, call, example }) {
    const id = 'tick';
    const configured_props = { timer: { intervalSeconds: 3600 } };
    await call('sources.deploy', { component_path: example('tick'), configured_props });
    await call('sources.invoke', { id });
    await show('List the log lines of a source', 'logs.list', { id, limit: 2 });
  },
};
