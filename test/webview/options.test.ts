import { describe, expect, test } from 'vitest';
import type { Option } from '../../src/webview/prop-form/messages.ts';
import { model, showForm, submitted, useBrowser, type ShownForm } from './support/form.ts';

/** Options that the component lists itself (P5). */
useBrowser();

const channel = { name: 'channel', label: 'Channel', remoteOptions: true };
const field = (form: ShownForm) => form.page.getByRole('combobox', { name: 'Channel' });
const named = (...labels: string[]): Option[] =>
  labels.map((label) => ({ label, value: `id-${label}` }));
const option = (form: ShownForm, label: string) =>
  form.page.getByRole('option', { name: `${label} id-${label}`, exact: true });

async function answer(form: ShownForm, options: readonly Option[], more = false): Promise<void> {
  const { request, prop } = await form.heard('options');
  await form.say({ t: 'options', request, prop, options, more, problem: null });
}

test('are asked for when the list opens, with the values so far, and not before', async () => {
  const form = await showForm(model([{ name: 'team', default: 'one' }, channel]));
  await form.page.getByLabel('team').fill('two');
  expect(form.sent.filter(({ t }) => t === 'options')).toEqual([]);
  await field(form).click();
  expect(await form.heard('options')).toMatchObject({
    prop: 'channel',
    query: '',
    next: false,
    values: { team: 'two' },
  });
  await form.page.getByText('Loading options…').waitFor();
});

test('come page by page, and are chosen with their label', async () => {
  const form = await showForm(model([channel]));
  await field(form).click();
  await answer(form, named('a', 'b'), true);
  await form.page.getByRole('option', { name: 'Load more…' }).click();
  const { next, request } = await form.heard('options');
  expect(next).toBe(true);
  await form.say({
    t: 'options',
    request,
    prop: 'channel',
    options: named('c'),
    more: false,
    problem: null,
  });
  await option(form, 'c').waitFor();
  expect(await form.page.getByRole('option').allInnerTexts()).toEqual(
    ['a', 'b', 'c'].map((label) => expect.stringContaining(label)),
  );
  await option(form, 'c').click();
  expect(await field(form).inputValue()).toBe('c');
  expect(await submitted(form)).toEqual({ channel: { __lv: { label: 'c', value: 'id-c' } } });
});

test('are kept while nothing changes, and asked for again when another value did', async () => {
  const form = await showForm(model([{ name: 'team', default: 'one' }, channel]));
  await field(form).click();
  await answer(form, named('a'));
  await option(form, 'a').click();
  await field(form).click();
  await option(form, 'a').waitFor();
  await form.page.keyboard.press('Escape');
  await form.page.getByLabel('team').fill('two');
  await field(form).click();
  await answer(form, named('z'));
  await option(form, 'z').waitFor();
  expect(form.sent.filter(({ t }) => t === 'options')).toHaveLength(2);
});

test('an answer that comes too late is not shown', async () => {
  const form = await showForm(model([{ name: 'team', default: 'one' }, channel]));
  await field(form).click();
  const late = await form.heard('options');
  await form.page.getByLabel('team').fill('two');
  await field(form).click();
  await answer(form, named('new'));
  await form.say({
    t: 'options',
    request: late.request,
    prop: 'channel',
    options: named('old'),
    more: false,
    problem: null,
  });
  await option(form, 'new').waitFor();
  expect(await option(form, 'old').count()).toBe(0);
});

describe('with the keyboard', () => {
  test('arrows move, Enter chooses, Escape closes', async () => {
    const form = await showForm(model([channel]));
    const { page } = form;
    await field(form).focus();
    await page.keyboard.press('ArrowDown');
    await answer(form, named('a', 'b'));
    await option(form, 'b').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const active = await field(form).getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).innerText()).toContain('b');
    await page.keyboard.press('Enter');
    expect(await field(form).inputValue()).toBe('b');
    expect(await field(form).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('listbox').count()).toBe(0);
  });

  test('typing narrows the list down, and Enter takes the one that is left', async () => {
    const form = await showForm(model([channel]));
    await field(form).click();
    await answer(form, named('general', 'random', 'rant'));
    await option(form, 'rant').waitFor();
    await form.page.keyboard.type('gen');
    await option(form, 'rant').waitFor({ state: 'detached' });
    await form.page.keyboard.press('Enter');
    expect(await field(form).inputValue()).toBe('general');
  });

  test('a text that is not an option is taken as it is, for an integer as a number', async () => {
    const form = await showForm(model([channel, { name: 'n', type: 'integer', options: [1, 2] }]));
    await field(form).click();
    await answer(form, named('general'));
    await form.page.keyboard.type('C42');
    await form.page.getByRole('option', { name: 'Use “C42”' }).waitFor();
    await form.page.keyboard.press('Tab');
    await form.page.keyboard.type('17');
    await form.page.keyboard.press('Tab');
    expect(await submitted(form)).toEqual({ channel: 'C42', n: 17 });
  });
});

test('several are chosen one after the other, and taken away again', async () => {
  const form = await showForm(model([{ ...channel, type: 'string[]' }]));
  const { page } = form;
  await field(form).click();
  await answer(form, named('a', 'b', 'c'));
  for (const name of ['a', 'b', 'c']) await option(form, name).click();
  await option(form, 'b').click();
  await page.getByRole('button', { name: 'Remove a' }).click();
  await page.keyboard.type('typed');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('list', { name: 'Chosen for Channel' }).innerText()).toBe('c\ntyped');
  await page.keyboard.press('Backspace');
  expect(await submitted(form)).toEqual({
    channel: { __lv: [{ label: 'c', value: 'id-c' }] },
  });
});

test('useQuery searches in the component, once for what was typed', async () => {
  const form = await showForm(model([{ ...channel, useQuery: true }]));
  await field(form).click();
  await answer(form, named('a'));
  await option(form, 'a').waitFor();
  // The clock stands still while one types, however slow the machine is.
  await form.page.clock.install({ time: 0 });
  await form.page.clock.pauseAt(1000);
  await form.page.keyboard.type('needle');
  await form.page.clock.runFor(1000);
  expect(await form.heard('options')).toMatchObject({ query: 'needle', next: false });
  expect(form.sent.filter(({ t }) => t === 'options')).toHaveLength(2);
});

describe('that cannot be listed', () => {
  test('the component’s words stand below the field; it can be tried again', async () => {
    const form = await showForm(model([channel]));
    await field(form).click();
    const { request } = await form.heard('options');
    const problem = 'Choose a workspace first.';
    await form.say({ t: 'options', request, prop: 'channel', options: [], more: false, problem });
    await form.page.getByText(problem).first().waitFor();
    await form.page.getByRole('option', { name: 'Try again' }).click();
    await answer(form, named('a'));
    await option(form, 'a').waitFor();
  });

  test('they wait for an account before them, unless one insists', async () => {
    const form = await showForm(model([{ name: 'slack', type: 'app', app: 'slack' }, channel]));
    await field(form).click();
    await form.page.getByText('Choose Slack account first.').waitFor();
    expect(form.sent.some(({ t }) => t === 'options')).toBe(false);
    await form.page.getByRole('option', { name: 'Load them anyway' }).click();
    await answer(form, named('a'));
    await option(form, 'a').waitFor();
  });

  test('an empty list says that a text will do', async () => {
    const form = await showForm(model([channel]));
    await field(form).click();
    await answer(form, []);
    await form.page.getByText('No options. You can type any value.').waitFor();
  });
});
