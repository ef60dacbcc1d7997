import { gallery } from '../gallery.ts';
import { load, model, showForm, subject, type ShownForm } from '../support/form.ts';

/** Every state the form can be in, by what is to be seen. */
export const formStates = {
  async 'every kind'() {
    const form = await showForm(gallery);
    await tellSurroundings(form);
    await form.page.getByLabel('Endpoint', { exact: true }).waitFor();
    return form;
  },

  async 'everything wrong'() {
    const form = await showForm(gallery);
    await form.page.locator('#submit').click();
    await form.page.getByText('A value is required.').first().waitFor();
    return form;
  },

  async 'a list of options'() {
    const form = await showForm(gallery);
    await form.page.getByRole('combobox', { name: 'Labels' }).click();
    await form.page.keyboard.press('ArrowDown');
    await form.page.keyboard.press('Enter');
    await form.page.keyboard.press('ArrowDown');
    await form.page.getByRole('listbox').waitFor();
    return form;
  },

  async 'options that are on their way'() {
    const form = await showForm(model([channel]));
    await form.page.getByRole('combobox', { name: 'Channel' }).click();
    await form.page.getByText('Loading options…').waitFor();
    return form;
  },

  async 'options that could not be listed'() {
    const form = await showForm(model([channel]));
    await form.page.getByRole('combobox', { name: 'Channel' }).click();
    const { request, prop } = await form.heard('options');
    const problem = 'ConfigurationError: this token may not list channels.';
    await form.say({ t: 'options', request, prop, options: [], more: false, problem });
    await form.page.getByText(problem).first().waitFor();
    return form;
  },

  async 'options that wait for an account'() {
    const form = await showForm(model([slack, channel]));
    await form.page.getByRole('combobox', { name: 'Channel' }).click();
    await form.page.getByText('Choose Slack account first.').waitFor();
    return form;
  },

  async 'a cron schedule and the optional fields'() {
    const form = await showForm(gallery);
    await tellSurroundings(form);
    await chooseCron(form, {
      problem: null,
      warning: null,
      words: 'At 09:00, Monday through Friday',
      next: [1, 2, 3, 4, 5].map((day) => Date.UTC(2026, 1, 1 + day, 8)),
    });
    await form.page.getByText('2 optional fields').click();
    await form.page.getByText('At 09:00').waitFor();
    return form;
  },

  async 'an invalid cron expression'() {
    const form = await showForm(gallery);
    await chooseCron(form, {
      problem: 'The hour 25 is not between 0 and 23.',
      warning: null,
      words: null,
      next: [],
    });
    await form.page.getByText('The hour 25').waitFor();
    return form;
  },

  async 'an account being added'() {
    const form = await showForm(gallery);
    await form.page.getByRole('button', { name: 'Add account' }).click();
    await form.page.getByRole('button', { name: 'Save account' }).click();
    await form.page.getByText('At least one key and its value are required.').first().waitFor();
    return form;
  },

  async 'an account being added for all folders, and one that they share'() {
    const globex = { name: 'globex', type: 'app', app: 'globex' };
    const form = await showForm(
      model([slack, globex], { values: { globex: { authProvisionId: 'apn_2' } } }),
    );
    const offer = { t: 'accounts', added: null, problem: null, connects: true } as const;
    await form.say({ ...offer, app: 'slack', accounts: [], sharing: true });
    const health = { state: 'healthy', why: null } as const;
    const shared = { id: 'apn_2', name: 'ann@globex.example', health, isShared: true };
    await form.say({ ...offer, app: 'globex', accounts: [shared], sharing: true });
    await form.page.getByRole('button', { name: 'Enter keys' }).first().click();
    await form.page.getByRole('radiogroup', { name: 'Available in' }).waitFor();
    return form;
  },

  async 'an account that was deleted'() {
    const form = await showForm(
      model([slack], { values: { slack: { authProvisionId: 'apn_9' } } }),
    );
    const problem = 'The key file cannot be read.';
    await form.say({
      t: 'accounts',
      app: 'slack',
      accounts: [],
      added: null,
      problem,
      connects: false,
    });
    await form.page.getByText(problem).waitFor();
    return form;
  },

  async 'accounts that are healthy, expire, fail and need their user'() {
    const apps = ['acme', 'globex', 'initech', 'hooli'];
    const props = apps.map((app) => ({ name: app, type: 'app', app }));
    const values = Object.fromEntries(apps.map((app) => [app, { authProvisionId: `apn_${app}` }]));
    const form = await showForm(model(props, { values }));
    const healths = [
      { state: 'healthy', why: null },
      {
        state: 'expiring',
        why: 'Its token ends at 2027-01-31 09:00 UTC; connect the account again by then.',
      },
      { state: 'failing', why: 'api.initech.example did not answer within 30 seconds.' },
      { state: 'dead', why: 'The grant was revoked. Connect the account again.' },
    ] as const;
    for (const [at, app] of apps.entries()) {
      const health = healths[at];
      const account = { id: `apn_${app}`, name: `ann@${app}.example` };
      const accounts = [{ ...account, ...(health !== undefined && { health }) }];
      const offer = { t: 'accounts', app, accounts, added: null, problem: null } as const;
      await form.say({ ...offer, connects: true });
    }
    await form.page.getByText('The grant was revoked.').waitFor();
    return form;
  },

  async 'an account whose keys are known'() {
    const keys = ['api_key', 'domain', 'oauth_uid'];
    const form = await showForm(model([{ ...slack, auth_keys: keys }]));
    await form.page.getByRole('button', { name: 'Add account' }).click();
    await form.page.getByRole('button', { name: 'Save account' }).click();
    await form.page.getByText('Api key has no value.').first().waitFor();
    return form;
  },

  async 'apphooks: not known, without an account, without the secret, with all, with own addresses'() {
    const apps = ['acme', 'globex', 'initech', 'slack', 'github'];
    const props = apps.flatMap((app) => [
      { name: app, type: 'app', app },
      { name: `${app}Hook`, label: `Events of ${app}`, type: '$.interface.apphook', appProp: app },
    ]);
    const chosen = apps.slice(2).map((app) => [app, { authProvisionId: `apn_${app}` }]);
    const form = await showForm(model(props, { values: Object.fromEntries(chosen) }));
    for (const [at, app] of apps.entries()) {
      const webhook = {
        url: `https://weir.example/h/ah_Zk3vT0aQ9mLw2xRb7cYd1e${at}`,
        register:
          'At https://api.slack.com/apps, enter it in your app as the Request URL of "Event Subscriptions".',
        secretName: 'Signing Secret',
        hasSecret: at > 2,
        oneAddress: app !== 'github',
      };
      const offered = { id: `apn_${app}`, name: app, ...(at > 1 && { webhook }) };
      const accounts = at === 1 ? [] : [offered];
      await form.say({
        t: 'accounts',
        app,
        accounts,
        added: null,
        problem: null,
        connects: false,
        sendsEvents: at > 0,
      });
    }
    await form.page.getByText('Gets its own address').waitFor();
    return form;
  },

  async 'an account that is being connected'() {
    const form = await showForm(model([slack]));
    const offer = {
      t: 'accounts',
      app: 'slack',
      accounts: [],
      added: null,
      problem: null,
    } as const;
    await form.say({ ...offer, connects: true });
    await form.page.getByRole('button', { name: 'Connect…' }).click();
    await form.page.getByRole('button', { name: 'Connecting in the browser' }).waitFor();
    return form;
  },

  async 'an account that was not connected'() {
    const form = await showForm(model([slack]));
    const offer = {
      t: 'accounts',
      app: 'slack',
      accounts: [],
      added: null,
      problem: null,
    } as const;
    await form.say({ ...offer, connects: true });
    await form.page.getByRole('button', { name: 'Connect…' }).click();
    const problem = 'Slack was not connected: the user said no (access_denied).';
    await form.say({ t: 'connected', app: 'slack', account: null, problem });
    await form.page.getByText(problem).first().waitFor();
    return form;
  },

  async 'a secret that is set, and one that is replaced'() {
    const form = await showForm(
      model(
        [
          { name: 'stored', label: 'Stored', secret: true },
          { name: 'replaced', label: 'Replaced', secret: true },
          { name: 'spare', label: 'Spare', secret: true, optional: true },
        ],
        {
          values: { stored: kept, replaced: kept, spare: kept },
          secrets: ['stored', 'replaced', 'spare'],
        },
      ),
    );
    await form.page.getByRole('button', { name: 'Replace Replaced' }).click();
    return form;
  },

  async 'objects and lists'() {
    const form = await showForm(
      model(
        [
          { name: 'flat', type: 'object', label: 'Flat' },
          { name: 'deep', type: 'object', label: 'Deep' },
          { name: 'paths', type: 'string[]', label: 'Paths' },
        ],
        { values: { flat: { a: '1', b: '2' }, deep: { a: { b: 1 } }, paths: ['/x', '/y'] } },
      ),
    );
    await form.page.getByLabel('Deep, as JSON').fill('{"a": ');
    await form.page.locator('#submit').click();
    await form.page.getByText('This is not JSON.').waitFor();
    return form;
  },

  async 'fields that are being reloaded'() {
    const form = await showForm(model([sheet, { name: 'title', label: 'Title' }]));
    await form.page.getByLabel('Sheet').fill('People');
    await form.page.getByLabel('Sheet').press('Tab');
    await form.page.getByText('Updating the fields…').waitFor();
    return form;
  },

  async 'a ConfigurationError'() {
    const form = await showForm(model([sheet, { name: 'title', label: 'Title' }]));
    await form.page.getByLabel('Sheet').fill('Peple');
    await form.page.getByLabel('Sheet').press('Tab');
    const { request } = await form.heard('props');
    const problem = 'There is no sheet called Peple. The sheets are: People, Places.';
    await form.say({ t: 'props', request, props: null, problem });
    await form.page.getByText(problem).first().waitFor();
    return form;
  },

  async 'progress of a deploy'() {
    const form = await showForm(gallery);
    const messages = ['Bundling', 'Installing axios@1.7.2', 'Running the deploy hook'];
    await form.say({ t: 'progress', messages });
    await form.page.getByRole('listitem').getByText('Running the deploy hook').waitFor();
    return form;
  },

  async 'a deploy that failed'() {
    const form = await showForm(gallery);
    await form.say({
      t: 'failed',
      problem:
        'The deploy hook of Tickets failed: the token is not allowed to do this. Nothing was deployed.',
      problems: {},
      log: ['GET https://api.example.com/tickets', '403 Forbidden'],
    });
    await form.page.getByText('Output').click();
    return form;
  },

  async 'as JSON'() {
    const form = await showForm(gallery);
    await form.page.locator('#view').click();
    await form.page.getByLabel('Configured props').waitFor();
    return form;
  },

  async 'invalid JSON'() {
    const form = await showForm(gallery);
    await form.page.locator('#view').click();
    await form.page.getByLabel('Configured props').fill('{"count": 3,');
    await form.page.getByText('This is not JSON').waitFor();
    return form;
  },

  async 'the component being read'() {
    const form = await load();
    await form.say({ t: 'loading', subject, message: 'Bundling' });
    await form.page.getByText('Bundling…').waitFor();
    return form;
  },

  async 'a component that cannot be read'() {
    const form = await load();
    await form.say({ t: 'unavailable', problem: 'tickets.mjs:3:7 has a syntax error.' });
    await form.page.getByRole('alert').waitFor();
    return form;
  },
} satisfies Readonly<Record<string, () => Promise<ShownForm>>>;

/** Those where Tab leaves what they show: an open list closes. */
export const passing: readonly string[] = [
  'a list of options',
  'options that are on their way',
  'options that could not be listed',
  'options that wait for an account',
];

const kept = { secret: true };
const slack = { name: 'slack', type: 'app', app: 'slack' };
const channel = { name: 'channel', label: 'Channel', remoteOptions: true };
const sheet = { name: 'sheet', label: 'Sheet', reloadProps: true };

async function tellSurroundings(form: ShownForm): Promise<void> {
  const accounts = [
    { id: 'apn_1111111', name: 'Work' },
    { id: 'apn_2222222', name: 'Home' },
  ];
  await form.say({
    t: 'accounts',
    app: 'slack',
    accounts,
    added: null,
    problem: null,
    connects: false,
  });
  await form.say({ t: 'endpoints', subject, urls: { http: 'http://127.0.0.1:4567/h/hi_abc1234' } });
}

async function chooseCron(
  form: ShownForm,
  preview: Extract<Parameters<ShownForm['say']>[0], { t: 'schedule' }>['preview'],
): Promise<void> {
  await form.page.getByLabel('Cron expression').check();
  const { request } = await form.heard('schedule');
  await form.say({ t: 'schedule', prop: 'timer', request, preview });
}
