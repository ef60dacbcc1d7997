import type { Chapter } from './story.mts';

export const accounts: Chapter = {
  title: 'Accounts',
  text: 'An account holds what a component needs of an app: keys, or tokens that Weir got by OAuth and keeps fresh ([accounts](accounts.md)). All of it is encrypted on disk.',
  async tell({ show, call }) {
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
    await show('Check an account', 'accounts.check', { id: 'acme-test-shop' });
    await show('Keep accounts of a copied data folder fresh', 'accounts.keepFresh', {});
    await show('Delete an account', 'accounts.delete', { id: 'acme-test-shop' });
    const slack = await call('accounts.create', { app: 'slack', credentials: {} });
    await show('Enter what an app signs its events with', 'accounts.update', {
      id: slack.id,
      signing_secret: '8f742231b10e8888abcd99yyyzzz85a5',
    });
    await call('accounts.delete', { id: slack.id });
    await show(
      'List apps',
      'apps.list',
      { q: 'git', limit: 1 },
      { include: 'name_slug,name,from' },
    );
    await show('Read an app', 'apps.get', { slug: 'github' });
    const client = await show('Enter an OAuth client', 'oauthClients.create', {
      app: 'github',
      client_id: 'Iv1.8a61f9b3a7aba766',
      client_secret: 'secret',
    });
    await show('List OAuth clients', 'oauthClients.list', { limit: 1 });
    const first = await show('Connect an account by OAuth', 'accounts.connect', { app: 'github' });
    await show('See how a connection stands', 'accounts.connection', { session: first.session });
    const state = new URL(first.authorization_url ?? '').searchParams.get('state');
    await show('Finish a connection with a pasted address', 'accounts.finishConnection', {
      session: first.session,
      url: `${first.redirect_uri}?error=access_denied&state=${state}`,
    });
    const second = await call('accounts.connect', { app: 'github' });
    await show('Give up a connection', 'accounts.cancelConnection', { session: second.session });
    await show('Forget an OAuth client', 'oauthClients.delete', { id: client.id });
  },
};
