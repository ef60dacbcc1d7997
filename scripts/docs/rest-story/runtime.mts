import type { Chapter } from './story.mts';

export const runtime: Chapter = {
  title: 'The runtime',
  async tell({ show, showRequest }) {
    await showRequest(
      'See whether it is there',
      { method: 'GET', path: '/v1/health' },
      'The only request that needs no key.',
    );
    await show('See whose key it is', 'users.me', {});
  },
};
