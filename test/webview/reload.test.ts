import { expect, test } from 'vitest';
import type { ConfigurableProp } from '../../src/protocol/definition.ts';
import { model, showForm, subject, submitted, useBrowser, type ShownForm } from './support/form.ts';

/** Props that the component makes of values: `reloadProps`, `additionalProps` (P6). */
useBrowser();

const kind = { name: 'kind', type: 'string', reloadProps: true, options: ['text', 'number'] };
const set = (...more: ConfigurableProp[]): ConfigurableProp[] => [kind, ...more];

async function choose(form: ShownForm, name: string): Promise<void> {
  await form.page.getByRole('combobox', { name: 'kind' }).click();
  await form.page.getByRole('option', { name }).click();
}

test('a choice brings other fields, and values that still fit stay', async () => {
  const form = await showForm(model([kind, { name: 'title' }]));
  const { page } = form;
  await page.getByLabel('title').fill('kept');
  await choose(form, 'text');
  const first = await form.heard('props');
  expect(first.values).toEqual({ title: 'kept', kind: 'text' });
  await page.getByText('Updating the fields…').waitFor();
  await form.say({
    t: 'props',
    request: first.request,
    props: set({ name: 'title', type: 'string' }, { name: 'body', type: 'string' }),
    problem: null,
  });
  await page.getByLabel('body').fill('twelve');
  await choose(form, 'number');
  const second = await form.heard('props');
  await form.say({
    t: 'props',
    request: second.request,
    props: set({ name: 'title', type: 'string' }, { name: 'body', type: 'integer' }),
    problem: null,
  });
  await page.getByText('Updating the fields…').waitFor({ state: 'detached' });
  expect(await page.getByLabel('title').inputValue()).toBe('kept');
  expect(await page.getByLabel('body').inputValue()).toBe('');
  await page.getByLabel('body').fill('12');
  expect(await submitted(form)).toEqual({ title: 'kept', kind: 'number', body: 12 });
});

test('a prop that is gone is not submitted, and has its value when it comes back', async () => {
  const form = await showForm(model([kind, { name: 'extra' }]));
  await form.page.getByLabel('extra').fill('x');
  await choose(form, 'text');
  const { request } = await form.heard('props');
  await form.say({ t: 'props', request, props: set(), problem: null });
  await form.page.getByLabel('extra').waitFor({ state: 'detached' });
  expect(await submitted(form)).toEqual({ kind: 'text' });
  await form.say({ t: 'cancelled' });
  await choose(form, 'number');
  const again = await form.heard('props');
  const props = set({ name: 'extra', type: 'string' });
  await form.say({ t: 'props', request: again.request, props, problem: null });
  expect(await form.page.getByLabel('extra').inputValue()).toBe('x');
});

test('a text asks when it is done, not at each key, and only when it is another', async () => {
  const form = await showForm(model([{ name: 'sheet', reloadProps: true }]));
  await form.page.getByLabel('sheet').fill('A');
  await form.page.getByLabel('sheet').press('End');
  expect(form.sent.some(({ t }) => t === 'props')).toBe(false);
  await form.page.getByLabel('sheet').blur();
  await form.heard('props');
  await form.page.getByLabel('sheet').focus();
  await form.page.getByLabel('sheet').blur();
  expect(form.sent.filter(({ t }) => t === 'props')).toHaveLength(1);
});

test('what the component says is wrong stands at the prop that was chosen', async () => {
  const form = await showForm(model([{ name: 'other' }, kind]));
  await choose(form, 'text');
  const { request } = await form.heard('props');
  const problem = 'There are no fields of this kind.';
  await form.say({ t: 'props', request, props: null, problem });
  await form.page.locator('[data-prop="kind"]').getByText(problem).waitFor();
});

test('Deploy that was pressed meanwhile follows', async () => {
  const form = await showForm(model([kind]));
  await choose(form, 'text');
  await form.page.locator('#submit').click();
  const { request } = await form.heard('props');
  expect(form.sent.some(({ t }) => t === 'submit')).toBe(false);
  await form.say({
    t: 'props',
    request,
    props: set({ name: 'x', type: 'string', default: '1' }),
    problem: null,
  });
  await form.heard('submit');
});

test('a component with props of its own making is asked at once, quietly', async () => {
  const form = await showForm(model([{ name: 'a' }], { dynamic: true }));
  const { request } = await form.heard('props');
  expect(await form.page.getByText('Updating the fields…').count()).toBe(0);
  await form.page.getByLabel('a').focus();
  await form.say({
    t: 'props',
    request,
    props: [
      { name: 'first', type: 'string' },
      { name: 'a', type: 'string' },
    ],
    problem: null,
  });
  await form.page.getByLabel('first').waitFor();
  expect(
    await form.page.getByLabel('a').evaluate((field) => field === document.activeElement),
  ).toBe(true);
});

test.each([
  ['before anything was chosen is not shown', {}, 0],
  ['of what is configured stands above the button', { sheet: 'gone' }, 1],
])('a ConfigurationError of the first props %s', async (_, values, alerts) => {
  const sheet = { name: 'sheet', reloadProps: true };
  const http = { name: 'http', type: '$.interface.http' };
  const form = await showForm(model([sheet, http], { dynamic: true, values }));
  const { request } = await form.heard('props');
  await form.say({ t: 'props', request, props: null, problem: 'There is no sheet called gone.' });
  // What is said next is shown next.
  await form.say({ t: 'endpoints', subject, urls: { http: 'http://127.0.0.1:1/h/hi_1' } });
  await form.page.getByRole('button', { name: 'Copy Endpoint' }).waitFor();
  expect(await form.page.getByRole('alert').count()).toBe(alerts);
});
