import { mkdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { gallery } from './gallery.ts';
import { allThemes, showForm, subject, useBrowser, type ShownForm } from './support/form.ts';

/** Every state of the form in every theme: nothing axe-core objects to, and a picture to judge. */
useBrowser();
const pictures = 'test-results/screenshots';

describe.each(allThemes)('%s', (theme) => {
  test('every kind of prop', async () => {
    const form = await showForm(gallery, { theme });
    await tellSurroundings(form);
    expect(await form.violations()).toEqual([]);
    await picture(form, `form-${theme}-every-kind`);
  });

  test('with a list of options open', async () => {
    const form = await showForm(gallery, { theme });
    await form.page.getByRole('combobox', { name: 'Labels' }).click();
    await form.page.keyboard.press('ArrowDown');
    await form.page.keyboard.press('Enter');
    await form.page.keyboard.press('ArrowDown');
    expect(await form.violations()).toEqual([]);
    await picture(form, `form-${theme}-options`);
  });

  test('with everything wrong', async () => {
    const form = await showForm(gallery, { theme });
    await form.page.locator('#submit').click();
    await form.page.getByText('A value is required.').first().waitFor();
    expect(await form.violations()).toEqual([]);
    await picture(form, `form-${theme}-wrong`);
  });

  test('with a cron schedule, an account being added, and the optional fields', async () => {
    const form = await showForm(gallery, { theme });
    await tellSurroundings(form);
    await form.page.getByRole('button', { name: 'Add account' }).click();
    await form.page.getByLabel('Cron expression').check();
    await form.heard('schedule');
    await form.say({
      t: 'schedule',
      prop: 'timer',
      request: 1,
      preview: {
        problem: null,
        warning: null,
        words: 'At 09:00, Monday through Friday',
        next: [1, 2, 3, 4, 5].map((day) => Date.UTC(2026, 1, 1 + day, 8)),
      },
    });
    await form.page.getByText('2 optional fields').click();
    await form.page.getByText('At 09:00').waitFor();
    expect(await form.violations()).toEqual([]);
    await picture(form, `form-${theme}-open`);
  });

  test('while it is submitted, and after that failed', async () => {
    const form = await showForm(gallery, { theme });
    await form.say({ t: 'steps', steps: ['Bundling', 'Evaluating', 'Running the deploy hook'] });
    await form.page.getByText('Running the deploy hook').first().waitFor();
    expect(await form.violations()).toEqual([]);
    await picture(form, `form-${theme}-submitting`);
    await form.say({
      t: 'failed',
      problem:
        'The deploy hook of Tickets failed: the token is not allowed to do this. Nothing was deployed.',
      problems: {},
      log: ['GET https://api.example.com/tickets', '403 Forbidden'],
    });
    await form.page.getByText('What it printed').click();
    expect(await form.violations()).toEqual([]);
    await picture(form, `form-${theme}-failed`);
  });

  test('as JSON', async () => {
    const form = await showForm(gallery, { theme });
    await form.page.locator('#view').click();
    await form.page.getByLabel('Configured props').fill('{"count": 3,');
    await form.page.getByText('This is no JSON').waitFor();
    expect(await form.violations()).toEqual([]);
    await picture(form, `form-${theme}-json`);
  });
});

async function tellSurroundings(form: ShownForm): Promise<void> {
  const accounts = [
    { id: 'apn_1111111', name: 'Work' },
    { id: 'apn_2222222', name: 'Home' },
  ];
  await form.say({ t: 'accounts', app: 'slack', accounts, added: null, problem: null });
  await form.say({ t: 'endpoints', subject, urls: { http: 'http://127.0.0.1:4567/h/hi_abc1234' } });
}

async function picture(form: ShownForm, name: string): Promise<void> {
  await mkdir(pictures, { recursive: true });
  await form.page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}
