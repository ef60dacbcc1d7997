import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { everyKind, gallery } from './gallery.ts';
import { load, model, showForm, subject, submitted, useBrowser } from './support/form.ts';

/** What a user does with the form, and what the host receives. */
useBrowser();

describe('values', () => {
  test('props named as what every object has are props like others', async () => {
    const form = await showForm(
      model([
        {
          name: 'toString',
          label: 'Text',
          description: 'As in `&constructor;` &constructor; &amp;',
        },
        { name: 'valueOf', label: 'List', type: 'string[]' },
        { name: 'hasOwnProperty', label: 'Pick', remoteOptions: true },
        { name: 'isPrototypeOf', label: 'Schedule', type: '$.interface.timer' },
        { name: 'propertyIsEnumerable', label: 'Map', type: 'object' },
        { name: 'toLocaleString', label: 'Hook', type: '$.interface.http' },
      ]),
    );
    const { page } = form;
    await page.getByText('&constructor; &', { exact: false }).waitFor();
    await page.getByLabel('Text').fill('a');
    await page.getByLabel('List, value 1').fill('b');
    await page.getByRole('combobox', { name: 'Pick' }).fill('c');
    await page.getByLabel('Schedule, how many').fill('2');
    await page.getByLabel('Map, key 1').fill('d');
    await page.getByLabel('Map, value 1').fill('e');
    expect(Object.entries(await submitted(form)).map(([name]) => name)).toEqual([
      'toString',
      'valueOf',
      'hasOwnProperty',
      'isPrototypeOf',
      'propertyIsEnumerable',
    ]);
  });

  test('every kind of control says what is configured', async () => {
    const form = await showForm(gallery);
    const { page } = form;
    await form.say({
      t: 'accounts',
      app: 'slack',
      accounts: [{ id: 'apn_1', name: 'Work' }],
      added: null,
      problem: null,
      connects: false,
    });
    await page.getByLabel('Slack account').selectOption('Work');
    await page.getByRole('combobox', { name: 'Channel' }).fill('C123');
    await page.getByLabel('Greeting').fill('Ahoy\nthere');
    await page.getByLabel('How many', { exact: true }).fill('7');
    await page.getByRole('group', { name: 'Archived' }).getByLabel('False').check();
    await page.getByRole('combobox', { name: 'Colour' }).click();
    await page.getByRole('option', { name: 'Blue' }).click();
    await page.getByRole('combobox', { name: 'Labels' }).click();
    await page.getByRole('option', { name: 'bug' }).click();
    await page.getByRole('option', { name: 'question' }).click();
    await page.getByLabel('Paths, value 1').fill('/a');
    await page.getByRole('button', { name: 'Add value' }).click();
    await page.getByLabel('Paths, value 2').fill('/b');
    await page.getByLabel('Headers, key 1').fill('accept');
    await page.getByLabel('Headers, value 1').fill('*/*');
    await page.getByLabel('Filter').fill('{"state": ["open"]}');
    await page.getByLabel('Token').fill('hush');
    await page.getByLabel('Schedule, how many').fill('2');
    await page.getByLabel('Schedule, unit').selectOption('hours');
    await page.getByText('2 optional fields').click();
    await page.getByLabel('Note').fill('later');
    await page.getByRole('group', { name: 'Verbose' }).getByLabel('True').check();

    expect(await submitted(form)).toEqual({
      slack: { authProvisionId: 'apn_1' },
      channel: 'C123',
      greeting: 'Ahoy\nthere',
      count: 7,
      archived: false,
      colour: { __lv: { label: 'Blue', value: 'blue' } },
      labels: ['bug', 'question'],
      paths: ['/a', '/b'],
      headers: { accept: '*/*' },
      filter: { state: ['open'] },
      token: { secret: true },
      timer: { intervalSeconds: 7200 },
      note: 'later',
      verbose: true,
    });
    expect(form.sent).toContainEqual({ t: 'secret', prop: 'token', value: 'hush' });
  });

  test('the form shows what is configured', async () => {
    const form = await showForm(
      model(everyKind, {
        verb: 'Save',
        secrets: ['token'],
        values: {
          greeting: 'Moin',
          archived: true,
          channel: { __lv: { label: '#general', value: 'C1' } },
          labels: { __lv: [{ label: 'Bug', value: 'b' }] },
          paths: ['/x', '/y'],
          headers: { accept: 'text/html' },
          filter: { a: [1] },
          token: { secret: true },
          timer: { cron: null, interval_seconds: 5400 },
          note: 'set',
        },
      }),
    );
    const { page } = form;
    expect(await page.getByRole('combobox', { name: 'Channel' }).inputValue()).toBe('#general');
    expect(await page.getByRole('list', { name: 'Chosen for Labels' }).innerText()).toBe('Bug');
    expect(await page.getByLabel('Paths, value 2').inputValue()).toBe('/y');
    expect(await page.getByLabel('Headers, key 1').inputValue()).toBe('accept');
    expect(JSON.parse(await page.getByLabel('Filter').inputValue())).toEqual({ a: [1] });
    expect(await page.getByLabel('Schedule, how many').inputValue()).toBe('90');
    expect(await page.getByLabel('Schedule, unit').inputValue()).toBe('60');
    expect(await page.getByRole('group', { name: 'Archived' }).getByLabel('True').isChecked()).toBe(
      true,
    );
    // Open by itself: something in it is set.
    expect(await page.getByLabel('Note').inputValue()).toBe('set');
    await page.getByText('· 1 set').waitFor();
  });

  test('the optional fields stay open, whatever is drawn while they open', async () => {
    const { page } = await showForm(gallery);
    // Within one turn, which never happens with two actions of a user.
    await page.evaluate(`
      document.querySelector('.optional').parentElement.querySelector('summary').click();
      const greeting = document.querySelector('[data-prop="greeting"] textarea');
      greeting.value = 'Moin';
      greeting.dispatchEvent(new Event('input', { bubbles: true }));
    `);
    await page.getByRole('group', { name: 'Verbose' }).getByLabel('True').check();
    await page.getByText('2 optional fields').click();
    await page.getByRole('group', { name: 'Verbose' }).waitFor({ state: 'hidden' });
  });

  test('what is not touched keeps its default, what is emptied is taken away', async () => {
    const form = await showForm(
      model([
        { name: 'kept', optional: true, default: 'a' },
        { name: 'emptied', optional: true, default: 'b' },
        { name: 'never', optional: true },
      ]),
    );
    await form.page.getByLabel('emptied').fill('');
    expect(await submitted(form)).toEqual({ emptied: null });
  });

  test('an object whose values are more than texts is JSON, and can be either while it is not', async () => {
    const form = await showForm(
      model(
        [
          { name: 'deep', type: 'object' },
          { name: 'flat', type: 'object' },
        ],
        { values: { deep: { a: { b: 1 } } } },
      ),
    );
    const { page } = form;
    expect(JSON.parse(await page.getByLabel('deep, as JSON').inputValue())).toEqual({
      a: { b: 1 },
    });
    await page
      .getByRole('group', { name: 'flat' })
      .getByRole('button', { name: 'Edit as JSON' })
      .click();
    await page.getByLabel('flat, as JSON').fill('{"x": "1"}');
    await page.getByRole('button', { name: 'Edit as keys and values' }).click();
    expect(await page.getByLabel('flat, key 1').inputValue()).toBe('x');
    await page.getByLabel('deep, as JSON').fill('{"a": ');
    await page.locator('#submit').click();
    await page.getByText('This is not JSON.').waitFor();
    await page.getByLabel('deep, as JSON').fill('{"a": 2}');
    expect(await submitted(form)).toEqual({ deep: { a: 2 }, flat: { x: '1' } });
  });

  test('props that nobody fills in are left out, and disabled or fixed ones are only shown', async () => {
    const form = await showForm(
      model([
        { name: 'asked', default: 'x' },
        { name: 'hidden', hidden: true, default: 'h' },
        { name: 'off', label: 'Region', disabled: true, default: 'eu' },
        { name: 'timer', type: '$.interface.timer', static: { cron: '0 0 * * *' } },
        { name: 'db', type: '$.service.db' },
        { name: 'syncDir', type: 'dir' },
        { name: 'hook', type: '$.interface.apphook', label: 'Hook' },
      ]),
    );
    const fields = form.page.locator('[data-prop]');
    const names = await fields.evaluateAll((all) =>
      all.map((one) => one.getAttribute('data-prop')),
    );
    expect(names).toEqual(['asked', 'off', 'timer', 'hook']);
    const off = form.page.getByRole('group', { name: 'Region' });
    expect(await off.innerText()).toMatch(/Switched off by the component\.\s+eu/);
    expect(await off.locator('input').count()).toBe(0);
    expect(await submitted(form)).toEqual({});
  });

  test('an apphook shows the address of its account, copies it and has its secret entered', async () => {
    const form = await showForm(
      model(
        [
          { name: 'slack', type: 'app', app: 'slack' },
          { name: 'hook', label: 'Events', type: '$.interface.apphook', appProp: 'slack' },
        ],
        { values: { slack: { authProvisionId: 'apn_1' } } },
      ),
    );
    const group = form.page.getByRole('group', { name: 'Events' });
    await group.getByText('No definition says how').waitFor();
    const url = 'http://127.0.0.1:1/h/ah_1';
    const offer = (hasSecret: boolean) =>
      form.say({
        t: 'accounts',
        app: 'slack',
        accounts: [
          {
            id: 'apn_1',
            name: 'Work',
            webhook: {
              url,
              register: 'Enter it at Slack.',
              secretName: 'Signing Secret',
              hasSecret,
              oneAddress: true,
            },
          },
        ],
        added: null,
        problem: null,
        connects: false,
        sendsEvents: true,
      });
    await offer(false);
    expect(await group.getByRole('textbox').inputValue()).toBe(url);
    await group.getByText('Events are refused until the Signing Secret is entered.').waitFor();
    await group.getByRole('button', { name: 'Copy Events' }).click();
    await group.getByRole('button', { name: 'Enter the Signing Secret…' }).click();
    expect(form.sent.find((one) => one.t === 'copyWebhook')).toEqual({
      t: 'copyWebhook',
      account: 'apn_1',
    });
    expect(form.sent.find((one) => one.t === 'signingSecret')).toEqual({
      t: 'signingSecret',
      account: 'apn_1',
    });
    await offer(true);
    await group.getByText('The Signing Secret is entered.').waitFor();
    expect(await submitted(form)).toEqual({ slack: { authProvisionId: 'apn_1' } });
  });

  test('the last row that is taken away leaves the keyboard in the one before', async () => {
    const form = await showForm(
      model([{ name: 'paths', type: 'string[]' }], { values: { paths: ['a', 'b'] } }),
    );
    await form.page.getByRole('button', { name: 'Remove value 2' }).press('Enter');
    expect(await isFocused(form.page.getByLabel('paths, value 1'))).toBe(true);
    expect(await submitted(form)).toEqual({ paths: ['a'] });
  });

  test('a component’s Markdown is elements and text, never HTML or a command', async () => {
    const description =
      '# Big\n**bold** `code` [web](https://example.com) [evil](command:weir.delete) [worse](javascript:alert(1)) <img src=x onerror=alert(1)> ![pic](https://example.com/x.png)\n\n- one\n- two &amp; three';
    const form = await showForm(model([{ name: 'a', description }]));
    const about = form.page.locator('.about').first();
    expect(
      await about
        .locator('a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual(['https://example.com', 'https://example.com/x.png']);
    expect(await about.locator('img, script, h1').count()).toBe(0);
    expect(await about.innerText()).toContain('<img src=x onerror=alert(1)>');
    expect(await about.innerText()).toContain('two & three');
  });
});

describe('what is wrong', () => {
  test('is shown at each field, and the first one gets the focus', async () => {
    const form = await showForm(
      model([
        { name: 'fine', default: 'x' },
        { name: 'count', type: 'integer', min: 1, max: 10 },
        { name: 'late', type: 'integer', optional: true },
      ]),
    );
    const { page } = form;
    await page.getByText('1 optional field').click();
    await page.getByLabel('late').fill('soon');
    await page.getByText('1 optional field').click();
    await page.getByLabel('count').fill('11');
    await page.locator('#submit').click();
    expect(await isFocused(page.getByLabel('count'))).toBe(true);
    expect(await page.getByLabel('count').getAttribute('aria-invalid')).toBe('true');
    await expectDescribed(page.getByLabel('count'), 'Must be 10 or less.');
    // The fold has opened: something in it is wrong.
    await expectDescribed(page.getByLabel('late'), '“soon” is not a number.');
    await page.getByText('2 fields need another look').first().waitFor();
    await page.getByLabel('count').fill('10');
    await page.getByLabel('late').fill('');
    expect(await submitted(form)).toEqual({ count: 10, late: null });
  });

  test('of several controls of a prop the one that is wrong gets the focus', async () => {
    const timer = { name: 'timer', type: '$.interface.timer', default: { intervalSeconds: 900 } };
    const form = await showForm(model([timer]));
    await form.page.getByLabel('Schedule, how many').fill('0');
    await form.page.locator('#submit').click();
    expect(await isFocused(form.page.getByLabel('Schedule, how many'))).toBe(true);
  });

  test('what the host says stands at its prop until that changes', async () => {
    const form = await showForm(model([{ name: 'zone', default: 'x' }]));
    const { page } = form;
    await submitted(form);
    await form.say({
      t: 'failed',
      problem: 'No.',
      problems: { zone: 'There is no zone x.' },
      log: [],
    });
    await expectDescribed(page.getByLabel('zone'), 'There is no zone x.');
    await page.getByLabel('zone').fill('y');
    expect(await page.getByText('There is no zone x.').count()).toBe(0);
    expect(await submitted(form)).toEqual({ zone: 'y' });
  });
});

describe('secrets', () => {
  test('go to the host and stay nowhere', async () => {
    const form = await showForm(model([{ name: 'token', secret: true }]));
    const { page } = form;
    await page.getByLabel('token').fill('hush');
    await page.getByLabel('token').press('Tab');
    expect(await form.heard('secret')).toEqual({ t: 'secret', prop: 'token', value: 'hush' });
    await page.getByText('Set', { exact: true }).waitFor();
    expect(await page.content()).not.toContain('hush');
    expect(JSON.stringify(await form.kept())).not.toContain('hush');
    await page.getByRole('button', { name: 'Replace token' }).click();
    await page.keyboard.type('shush');
    await page.keyboard.press('Enter');
    expect(await form.heard('secret')).toEqual({ t: 'secret', prop: 'token', value: 'shush' });
    expect(await submitted(form)).toEqual({ token: { secret: true } });
  });

  test('one that was typed before a reload of the window is asked for again', async () => {
    const form = await showForm(
      model(
        [
          { name: 'typed', secret: true },
          { name: 'stored', secret: true },
        ],
        {
          values: { stored: { secret: true } },
          secrets: ['stored'],
        },
      ),
      { kept: { subject, values: { typed: { secret: true }, stored: { secret: true } } } },
    );
    await form.page.locator('input[type=password]').waitFor();
    expect(await form.page.getByRole('button', { name: 'Replace stored' }).count()).toBe(1);
  });

  test('an optional one is taken away, and can be typed again at once', async () => {
    const token = { name: 'token', secret: true, optional: true };
    const values = { token: { secret: true } };
    const form = await showForm(model([token], { values, secrets: ['token'] }));
    await form.page.getByRole('button', { name: 'Remove token' }).click();
    expect(await isFocused(form.page.getByLabel('token'))).toBe(true);
    expect(await submitted(form)).toEqual({ token: null });
  });
});

test('what was typed survives a reload of the window', async () => {
  const first = await showForm(model([{ name: 'text' }, { name: 'count', type: 'integer' }]));
  await first.page.getByLabel('text').fill('half');
  const kept = await first.kept();
  expect(kept).toMatchObject({ subject, values: { text: 'half' } });
  const second = await showForm(model([{ name: 'text' }, { name: 'count', type: 'integer' }]), {
    kept: kept ?? { subject, values: {} },
  });
  expect(await second.page.getByLabel('text').inputValue()).toBe('half');
});

describe('the JSON view', () => {
  test('does what the form does', async () => {
    const form = await showForm(
      model([
        { name: 'a' },
        { name: 'count', type: 'integer', default: 3 },
        { name: 'token', secret: true },
        { name: 'gone', optional: true, default: 'd' },
      ]),
    );
    const { page } = form;
    await page.getByLabel('a', { exact: true }).fill('1');
    await page.locator('#view').click();
    const json = page.getByLabel('Configured props');
    expect(JSON.parse(await json.inputValue())).toEqual({ a: '1', count: 3, gone: 'd' });
    await json.fill('{"a": "2", "count": 4, "token": "hush"}');
    await json.blur();
    expect(await form.heard('secret')).toEqual({ t: 'secret', prop: 'token', value: 'hush' });
    expect(JSON.parse(await json.inputValue())).toEqual({
      a: '2',
      count: 4,
      token: { secret: true },
    });
    await page.locator('#view').click();
    expect(await page.getByLabel('a', { exact: true }).inputValue()).toBe('2');
    expect(await submitted(form)).toEqual({
      a: '2',
      count: 4,
      token: { secret: true },
      gone: null,
    });
  });

  test('gets the props that a choice brings, with their defaults', async () => {
    const kind = { name: 'kind', type: 'string', reloadProps: true };
    const form = await showForm(model([kind]));
    await form.page.locator('#view').click();
    const json = form.page.getByLabel('Configured props');
    await json.fill('{"kind": "wide"}');
    await json.blur();
    const { request, values } = await form.heard('props');
    expect(values).toEqual({ kind: 'wide' });
    await form.page.getByText('Updating the fields…').waitFor();
    const props = [kind, { name: 'width', type: 'integer', default: 80 }];
    await form.say({ t: 'props', request, props, problem: null });
    await form.page.getByText('Updating the fields…').waitFor({ state: 'detached' });
    expect(JSON.parse(await json.inputValue())).toEqual({ kind: 'wide', width: 80 });
    await json.fill('{"kind": "wide", "width": 90}');
    expect(await submitted(form)).toEqual({ kind: 'wide', width: 90 });
  });

  test('a document somebody writes in is left alone by other props', async () => {
    const kind = { name: 'kind', type: 'string', reloadProps: true };
    const form = await showForm(model([kind, { name: 'note', type: 'string', optional: true }]));
    await form.page.locator('#view').click();
    const json = form.page.getByLabel('Configured props');
    await json.fill('{"kind": "wide"}');
    await json.blur();
    const { request } = await form.heard('props');
    await json.fill('{"kind": "wide", "note": "ha');
    await form.say({ t: 'props', request, props: [kind], problem: null });
    await form.page.getByText('Updating the fields…').waitFor({ state: 'detached' });
    expect(await json.inputValue()).toBe('{"kind": "wide", "note": "ha');
  });

  test('a schedule that was typed is previewed again', async () => {
    const timer = { name: 'timer', type: '$.interface.timer', default: { intervalSeconds: 900 } };
    const form = await showForm(model([timer]));
    expect((await form.heard('schedule')).timer).toEqual({ intervalSeconds: 900 });
    await form.page.locator('#view').click();
    const json = form.page.getByLabel('Configured props');
    await json.fill('{"timer": {"cron": "0 9 * * *"}}');
    await json.blur();
    expect((await form.heard('schedule')).timer).toEqual({ cron: '0 9 * * *' });
  });

  test('says what is wrong with the document, and leads to the field that is wrong', async () => {
    const form = await showForm(model([{ name: 'count', type: 'integer', max: 3 }]));
    const { page } = form;
    await page.locator('#view').click();
    const json = page.getByLabel('Configured props');
    await json.fill('{"cuont": 1}');
    await page.getByText('There is no prop cuont. The props are: count.').waitFor();
    await json.fill('{"count": 4}');
    await page.locator('#submit').click();
    await page.getByText('Must be 3 or less.').waitFor();
    expect(await page.getByLabel('count').inputValue()).toBe('4');
  });
});

describe('submitting', () => {
  test('shows the progress, can be cancelled, and can be tried again', async () => {
    const form = await showForm(
      model([
        { name: 'a', default: 'x' },
        { name: 'http', type: '$.interface.http' },
      ]),
    );
    const { page } = form;
    await form.say({ t: 'endpoints', subject, urls: { http: 'http://127.0.0.1:1/h/hi_1' } });
    await page.getByLabel('a', { exact: true }).focus();
    await page.keyboard.press('Control+Enter');
    await form.heard('submit');
    await form.say({ t: 'progress', messages: ['Bundling', 'Running the deploy hook'] });
    await page.getByRole('listitem').getByText('Running the deploy hook').waitFor();
    expect(await page.locator('#submit').isDisabled()).toBe(true);
    expect(await page.locator('[data-prop="a"]').getAttribute('inert')).not.toBeNull();
    // Somebody may be waiting for the URL just then.
    await page.getByRole('button', { name: 'Copy Endpoint' }).click();
    await form.heard('copyEndpoint');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await form.heard('stop');
    await form.say({ t: 'cancelled' });
    await page.getByText('Cancelled.').waitFor();
    await submitted(form);
    await form.say({
      t: 'failed',
      problem: 'The deploy hook failed.',
      problems: {},
      log: ['line 1'],
    });
    await page.getByRole('alert').getByText('The deploy hook failed.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await form.heard('dismiss');
  });

  test('a page that comes back in the middle of it goes on showing it', async () => {
    const form = await load();
    await form.say({ t: 'form', subject, form: model([{ name: 'a' }]) });
    await form.say({ t: 'progress', messages: ['Bundling'] });
    await form.page.getByRole('listitem').getByText('Bundling').waitFor();
  });
});

test('before there is a form it says what happens, and what went wrong', async () => {
  const form = await load();
  await form.say({ t: 'loading', subject, message: 'Bundling' });
  await form.page.getByText('Bundling…').waitFor();
  await form.say({ t: 'unavailable', problem: 'tickets.mjs has a syntax error.' });
  await form.page.getByRole('alert').getByText('tickets.mjs has a syntax error.').waitFor();
  await form.page.getByRole('button', { name: 'Try again' }).click();
  await form.heard('retry');
});

test('the endpoint can be copied, once there is one', async () => {
  const form = await showForm(
    model([
      { name: 'http', type: '$.interface.http' },
      { name: 'later', type: '$.interface.http' },
    ]),
  );
  await form.say({ t: 'endpoints', subject, urls: { http: 'http://127.0.0.1:1/h/hi_1' } });
  await form.page.getByRole('button', { name: 'Copy' }).click();
  expect(await form.heard('copyEndpoint')).toEqual({ t: 'copyEndpoint', prop: 'http' });
  await form.page.getByText('Gets its own URL when it is deployed.').waitFor();
});

test('everything is reached with the keyboard, in order', async () => {
  const form = await showForm(gallery);
  const { page } = form;
  await form.say({ t: 'endpoints', subject, urls: { http: 'http://127.0.0.1:1/h/hi_1' } });
  await page.locator('#view').focus();
  const reached: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const { activeElement: active } = document;
      return active?.id === 'submit'
        ? 'submit'
        : active?.closest<HTMLElement>('[data-prop]')?.dataset['prop'];
    });
    if (at !== undefined && at !== reached.at(-1)) reached.push(at);
    if (at === 'submit' || reached.length > 40) break;
  }
  expect(reached).toEqual([
    'slack',
    'channel',
    'greeting',
    'count',
    'archived',
    'colour',
    'labels',
    'paths',
    'headers',
    'filter',
    'token',
    'timer',
    'http',
    'submit',
  ]);
});

function isFocused(field: Locator): Promise<boolean> {
  return field.evaluate((element) => element === document.activeElement);
}

async function expectDescribed(field: Locator, sentence: string): Promise<void> {
  await field.page().getByText(sentence).first().waitFor();
  const described = await field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.innerText ?? '')
      .join(' '),
  );
  expect(described).toContain(sentence);
}
