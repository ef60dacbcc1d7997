import type { Chapter } from './story.mts';

export const accounts: Chapter = {
  title: 'Accounts',
  text: 'An account holds the keys of an app that a component asks for. They are encrypted on disk.',
  async tell({ show }) {
    await show('Connect an account', 'accounts.create', {
      app: 'acme',
      name: 'Acme test shop',
      credentials: { api_key: 'k-123' },
    });
    await show('List accounts', 'accounts.list', { app: 'acme', limit: 1 }, { include: 'id,name' });
    await show('Read an account', 'accounts.get', {
      id: 'acme-test-shop',
      include_credentials: true,
    });
    await show('Change an account', 'accounts.update', {
      id: 'acme-test-shop',
      credentials: { api_key: 'k-456' },
    });
    await show('Delete an account', 'accounts.delete', { id: 'acme-test-shop' });
  },
};
