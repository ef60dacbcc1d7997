import type { Chapter } from './story.mts';

export const debugging: Chapter = {
  title: 'Debugging',
  text: 'For editors: a debugger attaches to the address of each process.',
  async tell({ show }) {
    await show('Debug a source', 'debug.start', { id: 'tick' });
    await show('Stop debugging', 'debug.stop', { id: 'tick' });
  },
};
