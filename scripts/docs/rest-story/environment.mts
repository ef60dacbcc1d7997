import type { Chapter } from './story.mts';

export const environment: Chapter = {
  title: 'Environment variables',
  text: 'What the steps of workflows and their expressions read as `process.env`. A value is sealed, and never shown again.',
  async tell({ show }) {
    await show('Set an environment variable', 'environment.set', {
      name: 'SHOP_URL',
      value: 'https://shop.example.com',
    });
    await show('List the environment variables', 'environment.list', {});
    await show('Delete an environment variable', 'environment.delete', { name: 'SHOP_URL' });
  },
};
