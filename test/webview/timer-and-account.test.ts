import { describe, expect, test } from 'vitest';
import { model, showForm, submitted, useBrowser } from './support/form.ts';

useBrowser();

describe('a timer', () => {
  const timer = { name: 'timer', type: '$.interface.timer', label: 'Schedule' };

  test('shows what a cron expression means and when it would run, in local time', async () => {
    const form = await showForm(model([{ ...timer, default: { intervalSeconds: 900 } }]));
    const { page } = form;
    await form.heard('schedule');
    await page.getByLabel('Cron expression').check();
    await page.getByLabel('Schedule, cron expression').fill('0 9 * * 1-5');
    await page.getByLabel('Schedule, time zone').fill('UTC');
    await page.getByLabel('Schedule, time zone').press('Enter');
    const asked = await lastSchedule();
    expect(asked.timer).toEqual({ cron: '0 9 * * 1-5', timezone: 'UTC' });
    await form.say({
      t: 'schedule',
      prop: 'timer',
      request: asked.request,
      preview: {
        problem: null,
        warning: null,
        words: 'At 09:00, Monday through Friday',
        next: [1, 2, 3, 4, 5].map((day) => Date.UTC(2026, 5, day, 9)),
      },
    });
    await page.getByText('At 09:00, Monday through Friday').waitFor();
    await page.getByText('Next runs, in your time (Europe/Berlin):').waitFor();
    expect(await page.locator('.preview li').allInnerTexts()).toEqual(
      ['Mon, 1', 'Tue, 2', 'Wed, 3', 'Thu, 4', 'Fri, 5'].map((day) => `${day} Jun 2026, 11:00`),
    );
    expect(await submitted(form)).toEqual({ timer: { cron: '0 9 * * 1-5', timezone: 'UTC' } });

    async function lastSchedule() {
      for (;;) {
        const asked = await form.heard('schedule');
        if ('cron' in asked.timer && asked.timer.timezone === 'UTC') return asked;
      }
    }
  });

  test('without a schedule one is required; a problem of the runtime stands below it', async () => {
    const form = await showForm(model([timer]));
    const { page } = form;
    await page.locator('#submit').click();
    await page.getByText('A schedule is required.').waitFor();
    await page.getByLabel('Schedule, how many').fill('0');
    await page.getByText('Enter a number of 1 or more.').waitFor();
    await page.getByLabel('Schedule, how many').fill('5');
    await page.getByLabel('Schedule, unit').selectOption('seconds');
    const { request } = await form.heard('schedule');
    const warning = 'A timer of 5 s runs here, but the platform’s shortest is 15 s.';
    const preview = { problem: null, warning, words: null, next: [] };
    await form.say({ t: 'schedule', prop: 'timer', request, preview });
    await page.getByText(warning).waitFor();
    expect(await submitted(form)).toEqual({ timer: { intervalSeconds: 5 } });
  });

  test('60 minutes stay 60 minutes while they are typed', async () => {
    const form = await showForm(model([{ ...timer, default: { intervalSeconds: 900 } }]));
    await form.page.getByLabel('Schedule, how many').fill('60');
    expect(await form.page.getByLabel('Schedule, unit').inputValue()).toBe('60');
    expect(await form.page.getByLabel('Schedule, how many').inputValue()).toBe('60');
    expect(await submitted(form)).toEqual({ timer: { intervalSeconds: 3600 } });
  });

  test.each([
    ['an interval', { static: { intervalSeconds: 3600 } }, 'Every hour'],
    ['a cron expression', { static: { cron: '0 0 * * *' } }, '0 0 * * *'],
    ['an interval on the prop itself', { intervalSeconds: 90 }, 'Every 90 seconds'],
  ])('%s the component fixes is shown, not asked', async (_, part, text) => {
    const form = await showForm(model([{ ...timer, ...part }]));
    await form.page.getByText(text, { exact: true }).waitFor();
    expect(await submitted(form)).toEqual({});
  });
});

describe('an account', () => {
  const app = { name: 'slack', type: 'app', app: 'slack', reloadProps: true };

  test('is added on the spot and chosen; its keys are nowhere afterwards', async () => {
    const form = await showForm(model([app]));
    const { page } = form;
    await page.getByRole('button', { name: 'Add account' }).click();
    await page.getByRole('button', { name: 'Save account' }).click();
    await page.getByText('At least one key and its value are required.').first().waitFor();
    await page.getByLabel('Name of the account').fill('Work');
    await page.getByLabel('Key 1').fill('token');
    await page.getByRole('button', { name: 'Save account' }).click();
    await page.getByText('token has no value.').first().waitFor();
    await page.getByLabel('Value 1').fill('hush');
    await page.getByRole('button', { name: 'Add key' }).click();
    await page.getByLabel('Key 2').fill('team');
    await page.getByLabel('Value 2').fill('T1');
    await page.keyboard.press('Enter');
    expect(await form.heard('account')).toEqual({
      t: 'account',
      app: 'slack',
      name: 'Work',
      credentials: { token: 'hush', team: 'T1' },
    });
    const accounts = [{ id: 'apn_1', name: 'Work' }];
    await form.say({
      t: 'accounts',
      app: 'slack',
      accounts,
      added: 'apn_1',
      problem: null,
      connects: false,
    });
    await form.heard('props');
    expect(await page.getByLabel('Slack account').inputValue()).toBe('apn_1');
    expect(await page.content()).not.toContain('hush');
    expect(JSON.stringify(await form.kept())).not.toContain('hush');
  });

  test('is asked for the keys that the component reads, and can have others', async () => {
    const form = await showForm(model([{ ...app, auth_keys: ['api_key', 'domain', 'oauth_uid'] }]));
    const { page } = form;
    await page.getByRole('button', { name: 'Add account' }).click();
    await page.getByLabel('Api key').fill('hush');
    expect(await page.getByLabel('Api key').getAttribute('type')).toBe('password');
    expect(await page.getByLabel('Domain').getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Save account' }).click();
    await page.getByText('Domain has no value.').first().waitFor();
    await page.getByLabel('Domain').fill('acme.test');
    await page.keyboard.press('Enter');
    expect((await form.heard('account')).credentials).toEqual({
      api_key: 'hush',
      domain: 'acme.test',
    });
    await page.getByRole('button', { name: 'Other keys' }).click();
    await page.getByLabel('Key 1').waitFor();
  });

  test('is not missed where the component reads no credentials', async () => {
    const form = await showForm(model([{ ...app, auth_keys: [] }]));
    await form.page.getByText('it needs no account').waitFor();
    await form.page.getByRole('button', { name: 'Add account' }).click();
    await form.page.getByRole('button', { name: 'Save account' }).click();
    expect((await form.heard('account')).credentials).toEqual({});
  });

  test('has the fields of its definition, which know more than the component', async () => {
    const form = await showForm(model([{ ...app, auth_keys: ['api_key'] }]));
    const field = { name: 'token', label: 'Bot token', default: '', optional: false, secret: true };
    const keyForm = {
      name: 'Bot token',
      fields: [
        { ...field, description: 'Made at acme.test/tokens' },
        {
          ...field,
          name: 'dc',
          label: 'Data center',
          default: 'us1',
          secret: false,
          description: '',
        },
      ],
    };
    const offer = {
      t: 'accounts',
      app: 'slack',
      accounts: [],
      added: null,
      problem: null,
    } as const;
    await form.say({ ...offer, connects: true, keyForm });
    const { page } = form;
    await page.getByRole('button', { name: 'Enter keys' }).click();
    await page.getByLabel('Bot token').fill('hush');
    await page.getByText('Made at acme.test/tokens').waitFor();
    await page.getByRole('button', { name: 'Save account' }).click();
    expect((await form.heard('account')).credentials).toEqual({ token: 'hush', dc: 'us1' });
  });

  test('is for this folder or for all, as was said last, where there is a choice', async () => {
    const form = await showForm(model([app]));
    const { page } = form;
    const offer = { t: 'accounts', app: 'slack', added: null, problem: null, connects: false };
    await form.say({ ...offer, t: 'accounts', accounts: [], sharing: true });
    await page.getByRole('button', { name: 'Add account' }).click();
    const whose = page.getByRole('radiogroup', { name: 'Available in' });
    expect(await whose.getByLabel('All your folders').isChecked()).toBe(true);
    await page.getByLabel('Key 1').fill('token');
    await page.getByLabel('Value 1').fill('hush');
    // With the keyboard alone.
    await whose.getByLabel('All your folders').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await whose.getByLabel('This folder').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Save account' }).click();
    expect((await form.heard('account')).isShared).toBe(false);
    await whose.getByLabel('All your folders').check();
    await page.getByRole('button', { name: 'Save account' }).isEnabled();
    await form.say({ ...offer, t: 'accounts', accounts: [], problem: 'No.', sharing: true });
    await page.getByRole('button', { name: 'Save account' }).click();
    expect((await form.heard('account')).isShared).toBe(true);
    const accounts = [{ id: 'apn_1', name: 'Work', isShared: true }];
    await form.say({ ...offer, t: 'accounts', accounts, added: 'apn_1' });
    await page.getByText('All your folders share it.').waitFor();
    // It cannot be shared any more, such as at a runtime on another machine.
    await page.getByRole('button', { name: 'Add account' }).click();
    await page.getByLabel('Key 1').waitFor();
    expect(await whose.count()).toBe(0);
  });

  test('one that could not be added says why and keeps what was typed', async () => {
    const form = await showForm(model([app]));
    const { page } = form;
    await page.getByRole('button', { name: 'Add account' }).click();
    await page.getByLabel('Key 1').fill('token');
    await page.getByLabel('Value 1').fill('hush');
    await page.getByRole('button', { name: 'Save account' }).click();
    await form.heard('account');
    await form.say({
      t: 'accounts',
      app: 'slack',
      accounts: [],
      added: null,
      problem: 'The key file cannot be read.',
      connects: false,
    });
    await page.getByText('The key file cannot be read.').waitFor();
    expect(await page.getByLabel('Value 1').inputValue()).toBe('hush');
    await page
      .getByRole('group', { name: 'New account' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    expect(await page.getByLabel('Value 1').count()).toBe(0);
  });

  test('the only one is chosen where one is required, and no other choice is touched', async () => {
    const plain = { name: 'slack', type: 'app', app: 'slack' };
    const accounts = [{ id: 'apn_1', name: 'Work' }];
    const answer = {
      t: 'accounts',
      app: 'slack',
      accounts,
      added: null,
      problem: null,
      connects: false,
    } as const;
    const required = await showForm(model([plain]));
    await required.say(answer);
    await expect.poll(() => required.page.getByRole('combobox').inputValue()).toBe('apn_1');
    expect(await submitted(required)).toEqual({ slack: { authProvisionId: 'apn_1' } });

    const chosen = { slack: { authProvisionId: 'apn_9' } };
    const changed = await showForm(model([plain], { values: chosen }));
    await changed.say(answer);
    expect(await submitted(changed)).toEqual(chosen);

    const several = await showForm(model([plain]));
    await several.say({ ...answer, accounts: [...accounts, { id: 'apn_2', name: 'Home' }] });
    await several.page.getByText('Home').waitFor({ state: 'attached' });
    expect(await several.page.getByRole('combobox').inputValue()).toBe('');
  });

  test('one that was deleted meanwhile is named as such', async () => {
    const form = await showForm(model([app], { values: { slack: { authProvisionId: 'apn_9' } } }));
    await form.say({
      t: 'accounts',
      app: 'slack',
      accounts: [],
      added: null,
      problem: null,
      connects: false,
    });
    await form.page.getByText('apn_9 (deleted)').waitFor({ state: 'attached' });
    expect(await submitted(form)).toEqual({ slack: { authProvisionId: 'apn_9' } });
  });

  const offer = {
    t: 'accounts',
    app: 'slack',
    added: null,
    problem: null,
    connects: true,
  } as const;
  const broken = {
    id: 'apn_1',
    name: 'Work',
    health: { state: 'dead', why: 'The grant was revoked. Connect the account again.' },
  } as const;

  test('is connected in the browser and chosen, with the keyboard alone', async () => {
    const form = await showForm(model([app]));
    const { page } = form;
    await form.say({ ...offer, accounts: [] });
    const connect = page.getByRole('button', { name: 'Connect…' });
    await connect.focus();
    await page.keyboard.press('Enter');
    expect(await form.heard('connect')).toEqual({ t: 'connect', app: 'slack', account: null });
    await page.getByRole('button', { name: 'Connecting in the browser' }).waitFor();
    const health = { state: 'healthy', why: null } as const;
    await form.say({ ...offer, accounts: [{ id: 'apn_7', name: 'ann@acme.com', health }] });
    await form.say({ t: 'connected', app: 'slack', account: 'apn_7', problem: null });
    await page.getByText('Connected and healthy.').waitFor();
    const select = page.getByLabel('Slack account');
    await expect.poll(() => select.inputValue()).toBe('apn_7');
    await expect.poll(() => select.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await connect.isEnabled()).toBe(true);
  });

  test('one that needs its user says why and is connected again in place', async () => {
    const form = await showForm(model([app], { values: { slack: { authProvisionId: 'apn_1' } } }));
    const { page } = form;
    await form.say({ ...offer, accounts: [broken] });
    await page.getByText('The grant was revoked. Connect the account again.').waitFor();
    await page.getByText('Work (connect again)').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Connect again' }).press('Enter');
    expect(await form.heard('connect')).toEqual({ t: 'connect', app: 'slack', account: 'apn_1' });
    await form.say({
      t: 'connected',
      app: 'slack',
      account: null,
      problem: 'Slack was not connected: access_denied',
    });
    await page.getByText('Slack was not connected: access_denied').first().waitFor();
    expect(await page.getByLabel('Slack account').inputValue()).toBe('apn_1');
    expect(await page.getByRole('button', { name: 'Connect again' }).isEnabled()).toBe(true);
  });
});
