import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chapter } from './story.mts';

const greet =
  "export default { key: 'shop-greet', name: 'Greet', version: '0.0.1', type: 'action', " +
  "description: 'Greets somebody.', props: { who: { type: 'string' } }, run() { return `Hello ${this.who}` } };\n";

export const registries: Chapter = {
  title: 'Components of others',
  text: 'Registries are where they are found, [trust and a lock](registries.md) what stands between finding and running one. A call that would run one before a yes is answered with 409 `trust_needed`; each of its `details` is a question, with a `token` that `POST /v1/registries/trust` takes.',
  async tell({ show, call }) {
    const folder = await mkdtemp(join(tmpdir(), 'weir-docs-'));
    try {
      const actions = join(folder, 'shop', 'actions', 'greet');
      await mkdir(actions, { recursive: true });
      await writeFile(join(actions, 'greet.mjs'), greet);
      await show(
        'Add a registry',
        'registries.add',
        { place: folder, name: 'team', user: true },
        { include: 'name,kind,from' },
      );
      await show('List the registries', 'registries.list', {}, { include: 'name,kind,from' });
      await show(
        'Search components',
        'components.search',
        { query: 'greet', type: 'action' },
        { include: 'sources,actions,problems' },
      );
      const info = await show(
        'Read a component of a registry',
        'components.registry',
        { key: 'shop-greet' },
        { include: 'key,version,type,code,code_hash,configurable_props' },
      );
      const { trust } = await call('components.registry', { key: info.key ?? '' });
      const token = trust?.token ?? '';
      await show('Allow what was asked about', 'registries.trust', { token });
      await show(
        'Add a component of a registry',
        'components.add',
        { reference: 'shop-greet@0.0.1' },
        { include: 'key,version,type' },
      );
      await show(
        'Add several components at once',
        'components.add_all',
        { references: ['shop-greet@0.0.1', 'shop-part'] },
        { include: 'problems' },
      );
      await writeFile(join(actions, 'greet.mjs'), greet.replace('0.0.1', '0.1.0'));
      await show(
        'Look for newer versions of what is locked',
        'components.outdated',
        {},
        { include: 'key,current,newest,is_outdated,unpublished,deprecated,used_by' },
      );
      await show(
        'Compare a locked component with a newer version',
        'components.compare',
        { component: 'shop-greet' },
        { include: 'key,is_same,changes,used_by,trust' },
      );
      await show(
        'Update a locked component',
        'components.update',
        { component: 'shop-greet', to: '0.1.0' },
        { include: 'key,from,to,updated,remaining' },
      );
      await show(
        'Make a locked component your own',
        'components.eject',
        { component: 'shop-greet', into: join(folder, 'mine') },
        { include: 'key,version,files,updated,remaining' },
      );
      await show('List whom the user trusts', 'registries.trusted', {}, { include: 'subjects' });
      await show('Forget a publisher', 'registries.forget', { publisher: folder });
      await show('Remove a registry', 'registries.remove', { name: 'team' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
