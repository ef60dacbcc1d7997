import type { Chapter } from './story.mts';

const greet =
  "export default { key: 'shop-greet', name: 'Greet', version: '0.0.1', type: 'action', " +
  "props: { who: { type: 'string' } }, run() { return `Hello ${this.who}` } }";

export const components: Chapter = {
  title: 'Saved components and actions',
  text: 'A component that is saved under its key can be deployed or run by it. Saving needs `key` and `version` in the component.',
  async tell({ show, call }) {
    const code = 'export default {};';
    const { hash } = await show('Write the file of a component', 'component_files.write', {
      path: 'components/greet.ts',
      code,
    });
    await show('Read the file of a component', 'component_files.read', {
      path: 'components/greet.ts',
    });
    await call('component_files.write', {
      path: 'components/greet.ts',
      code: greet,
      replaces: hash,
    });
    await show('Save a component', 'components.publish', { component_code: greet });
    await show(
      'List saved components',
      'components.list',
      { limit: 1 },
      { include: 'id,key,version' },
    );
    await show(
      'Read a saved component',
      'components.get',
      { id: 'shop-greet' },
      { include: 'id,key,code_hash' },
    );
    const { id } = await show('Run an action', 'actions.run', {
      key: 'shop-greet',
      configured_props: { who: 'Weir' },
    });
    await show('List the runs of actions', 'action_runs.list', { limit: 1 });
    await show('Read a run of an action', 'action_runs.get', { id });
    await show('Delete a saved component', 'components.unpublish', { id: 'shop-greet' });
  },
};
