import { dirname } from 'node:path';
import type { Chapter } from './story.mts';

export const imports: Chapter = {
  title: 'Imports',
  text: 'Workflows of the platform, brought here: [moving](moving.md) leads through it.',
  async tell({ show, example }) {
    const folder = dirname(example('order-received'));
    await show(
      'Import workflows',
      'imports.run',
      { folder },
      { include: 'workflows,written,kept,packages' },
    );
  },
};
