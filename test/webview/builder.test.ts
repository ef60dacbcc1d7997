import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { changed, inserted, moved } from '../../src/extension/builder/edits.ts';
import type { Values } from '../../src/webview/builder/messages.ts';
import { modelOf, orders, ruled, showBuilder, type ShownBuilder } from './support/builder.ts';
import { useBrowser } from './support/page.ts';

useBrowser();

/** Answers the next edits as the host does, with the text that comes of them. */
async function host(
  shown: ShownBuilder,
  values: Values,
): Promise<{ next(): Promise<Values>; tell(values: Values): Promise<void> }> {
  let text = stringify(values);
  let version = 1;
  let taken = shown.sent.length;
  const edits = ['change', 'insert', 'move', 'add', 'remove', 'duplicate', 'rename'] as const;
  const tell = async (now: Values): Promise<void> => {
    text = stringify(now);
    version += 1;
    await shown.say({ t: 'model', model: modelOf(now, { version }) });
  };
  return {
    tell,
    async next() {
      await expect
        .poll(() => shown.sent.findIndex(({ t }, at) => at >= taken && edits.some((e) => e === t)))
        .toBeGreaterThan(-1);
      const at = shown.sent.findIndex(
        (one, index) => index >= taken && edits.some((e) => e === one.t),
      );
      taken = at + 1;
      const message = shown.sent[at]!;
      if (message.t === 'change') text = changed(text, message.changes);
      if (message.t === 'insert') text = inserted(text, message.at, message.item);
      if (message.t === 'move') text = moved(text, message.from, message.to);
      const now = parse(text) as Values;
      await tell(now);
      return now;
    },
  };
}

/** What `when` of the first branch says. */
const when = (values: Values): unknown =>
  (values['steps'] as { branches: { when: unknown }[] }[])[0]!.branches[0]!.when;

test('rules are made with the keyboard alone', async () => {
  const values = structuredClone(ruled);
  const shown = await showBuilder(modelOf(values));
  const { page } = shown;
  const { next } = await host(shown, values);
  await page.getByRole('button', { name: 'vip when' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add rule' }).last().focus();
  await page.keyboard.press('Enter');
  await next();
  // The field of the new rule has the focus.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Value of rule 3');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('steps.trigger.event.body.name', { delay: 0 });
  await page.keyboard.press('Tab');
  await page.keyboard.type('starts');
  await expect
    .poll(async () => {
      const now = await next();
      return (when(now) as { r: unknown[] }).r[2];
    })
    .toEqual({ a: '{{steps.trigger.event.body.name}}', op: 'str^', b: '' });
  await page.keyboard.press('Tab');
  await page.keyboard.type('A');
  expect((when(await next()) as { r: unknown[] }).r[2]).toEqual({
    a: '{{steps.trigger.event.body.name}}',
    op: 'str^',
    b: 'A',
  });
});

test('another way and back again loses nothing', async () => {
  const values = structuredClone(ruled);
  const before = when(values);
  const shown = await showBuilder(modelOf(values));
  const { page } = shown;
  const { next } = await host(shown, values);
  await page.getByRole('button', { name: 'vip when' }).click();
  const how = page.getByLabel('When it runs');
  await how.selectOption('Always');
  expect(when(await next())).toBe('always');
  await how.selectOption('When rules are met');
  expect(when(await next())).toEqual(before);
  await how.selectOption('As JSON');
  const json = page.getByLabel('As JSON');
  await json.fill('{"t": "and", "r": [');
  await page.getByText('This is not JSON yet').waitFor();
  await json.fill('{"t": "or", "r": [], "mine": 1}');
  expect(when(await next())).toEqual({ t: 'or', r: [], mine: 1 });
});

test('what is compared goes with its operator, and comes back', async () => {
  const values = structuredClone(ruled);
  const shown = await showBuilder(modelOf(values));
  const { page } = shown;
  const { next } = await host(shown, values);
  await page.getByRole('button', { name: 'vip when' }).click();
  const first = async () => (when(await next()) as { r: unknown[] }).r[0];
  const operator = page.getByLabel('Operator of rule 1').first();
  await operator.selectOption('exists');
  expect(await first()).toEqual({ a: '{{steps.trigger.event.body.amount}}', op: 'exist' });
  await operator.selectOption('is less than');
  expect(await first()).toEqual({ a: '{{steps.trigger.event.body.amount}}', op: 'num<', b: 100 });
});

test('a value is chosen from what the last execution had, and the focus stays', async () => {
  const values = structuredClone(ruled);
  const shown = await showBuilder(modelOf(values));
  const { page } = shown;
  const { next } = await host(shown, values);
  await page.getByRole('button', { name: 'vip when' }).click();
  expect(await shown.heard('look')).toEqual({ t: 'look', path: ['steps', 0, 'branches', 0] });
  const steps = { trigger: { event: { body: { paid: true } } } };
  await shown.say({ t: 'data', path: ['steps', 0, 'branches', 0], steps, given: null });
  const choose = page.getByRole('button', {
    name: 'Choose from the last execution: value of rule 1',
  });
  await choose.first().click();
  for (const key of ['trigger', 'event', 'body']) {
    const item = page.getByRole('treeitem', { name: key });
    await item.waitFor();
    if ((await item.getAttribute('aria-expanded')) === 'false') await item.click();
  }
  await page.getByRole('treeitem', { name: 'paid' }).click();
  await page.getByRole('button', { name: 'Use' }).click();
  expect((when(await next()) as { r: unknown[] }).r[0]).toEqual({
    a: '{{steps.trigger.event.body.paid}}',
    op: 'num>',
    b: 100,
  });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent?.trim()))
    .toBe('Choose from the last execution');
});

test('Alt and the arrow keys move steps, branches and triggers, and stop at the ends', async () => {
  const shown = await showBuilder(modelOf(ruled));
  const { page } = shown;
  await page.getByRole('button', { name: 'only_paid Filter' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  expect(await shown.heard('move')).toMatchObject({ from: ['steps', 1], to: ['steps', 0] });
  await shown.say({ t: 'model', model: modelOf(ruled, { version: 2 }) });
  await page.getByRole('button', { name: 'vip when' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowDown');
  const branches = ['steps', 0, 'branches'];
  expect(await shown.heard('move')).toMatchObject({ from: [...branches, 0], to: [...branches, 2] });
  await shown.say({ t: 'model', model: modelOf(ruled, { version: 3 }) });
  await page.getByRole('button', { name: /^Schedule every/ }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  expect(await shown.heard('move')).toMatchObject({ from: ['triggers', 0], to: ['triggers', 2] });
});

test('a step is moved to any place without dragging', async () => {
  const shown = await showBuilder(modelOf(orders));
  const { page } = shown;
  await page.getByRole('button', { name: 'total ./total/entry.ts' }).click();
  await page.getByLabel('Move total to').selectOption('size › large › before call');
  expect(await shown.heard('move')).toMatchObject({
    from: ['steps', 0],
    to: ['steps', 1, 'branches', 0, 'steps', 0],
  });
});

test('what is typed first is in the file at once, and the rest a moment later', async () => {
  const values = structuredClone(orders);
  const shown = await showBuilder(modelOf(values));
  const { page } = shown;
  const { next } = await host(shown, values);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill('O');
  expect((await next())['name']).toBe('O');
  await page.getByLabel('Name', { exact: true }).pressSequentially('rder');
  await expect.poll(async () => (await next())['name']).toBe('Order');
});

test('what is typed waits for the edit before it, though the same text comes again', async () => {
  const { page, sent, say } = await showBuilder(modelOf(orders));
  const edits = () => sent.flatMap((one) => (one.t === 'change' ? [one] : []));
  await page.getByRole('button', { name: 'Settings' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('O');
  await expect.poll(() => edits().length).toBe(1);
  // It became dirty, or something was deployed: the text does not have the edit yet.
  await say({ t: 'model', model: modelOf(orders) });
  await name.fill('Or');
  await name.blur();
  await page.waitForTimeout(500);
  expect(edits()).toHaveLength(1);
  await say({ t: 'model', model: modelOf({ ...orders, name: 'O' }, { version: 2 }) });
  await expect.poll(() => edits()[1]).toMatchObject({ version: 2, changes: [{ value: 'Or' }] });
  // An edit that leaves the text as it is has ended as well.
  const model = modelOf({ ...orders, name: 'O' }, { version: 2 });
  await say({ t: 'model', model, isUnchanged: true });
  await name.fill('Ord');
  await expect.poll(() => edits()[2]).toMatchObject({ version: 2, changes: [{ value: 'Ord' }] });
});

test('arrow keys walk through what may be added, and Escape leads back', async () => {
  const shown = await showBuilder(modelOf(orders));
  const { page } = shown;
  await page.getByRole('button', { name: 'Add step to the end' }).click();
  await page.getByLabel('Search steps').fill('waits');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Suspend');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Add step to the end');
});

test('what registries have is searched for as one types, narrowed to an app, and fetched when it is chosen', async () => {
  const shown = await showBuilder(modelOf(orders));
  const { page } = shown;
  await page.getByRole('button', { name: 'Add step to the end' }).click();
  expect(await shown.heard('search')).toEqual({ t: 'search', search: { query: '', app: null } });
  await page.getByLabel('Search steps').fill('ship');
  const ship = { query: 'ship', app: null };
  await expect.poll(() => shown.heard('search')).toEqual({ t: 'search', search: ship });
  const offer = (app: string, name: string) => ({
    uses: `${app}-ship-order@0.1.0`,
    name,
    description: 'Ships <img src=x>',
    from: 'components · MIT',
    app,
  });
  const late = { query: 's', app: null };
  await shown.say({ t: 'offers', search: late, offers: [offer('old', 'Old')], problems: [] });
  const offers = [offer('acme', 'Ship Order'), offer('zeta', 'Ship It')];
  await shown.say({ t: 'offers', search: ship, offers, problems: ['npm: it did not answer.'] });
  await page.getByRole('button', { name: 'Ship Order' }).waitFor();
  await page.getByText('npm: it did not answer.').waitFor();
  expect(await page.getByRole('button', { name: 'Old' }).count()).toBe(0);
  await page.getByRole('button', { name: 'zeta', exact: true }).click();
  const ofZeta = { query: 'ship', app: 'zeta' };
  await expect.poll(() => shown.heard('search')).toEqual({ t: 'search', search: ofZeta });
  expect(await page.getByRole('button', { name: 'Ship Order' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Ship It' }).click();
  expect(await shown.heard('add')).toMatchObject({
    step: { kind: 'component', uses: 'zeta-ship-order@0.1.0', isOffer: true },
  });
});

test('an expression can be typed anew: its field stays while there is none', async () => {
  const values = structuredClone(orders);
  const shown = await showBuilder(modelOf(values));
  const { page } = shown;
  const { next } = await host(shown, values);
  await page.getByRole('button', { name: 'each_1 Each' }).click();
  const list = page.getByLabel('List', { exact: true });
  await list.fill('{');
  await next();
  await list.press('End');
  await page.keyboard.type('{steps.total.$return_value}}');
  await expect
    .poll(async () => ((await next())['steps'] as { on?: unknown }[])[2]!.on)
    .toBe('{{steps.total.$return_value}}');
});

test('the fields are those of what is unfolded, also when undo puts another step in its place', async () => {
  const values = structuredClone(orders);
  const shown = await showBuilder(modelOf(values));
  const { page } = shown;
  const { tell } = await host(shown, values);
  const steps = values['steps'] as Values[];
  await page.getByRole('button', { name: 'each_1 Each' }).click();
  await page.getByLabel('List', { exact: true }).waitFor();
  await tell({ ...values, steps: [steps[2], steps[0], steps[1]] });
  const open = page.locator('.card.open');
  await open.locator('.head', { hasText: 'each_1' }).waitFor();
  expect(await open.getAttribute('class')).toContain('open');
  await expect.poll(() => page.locator('#card-steps-0').getAttribute('aria-expanded')).toBe('true');
  await tell({ ...values, steps: [steps[0], steps[1]] });
  await expect.poll(() => page.locator('.card.open').count()).toBe(0);
});

test('what was unfolded is so again after the page was hidden', async () => {
  const shown = await showBuilder(modelOf(orders));
  await shown.page.getByRole('button', { name: 'total ./total/entry.ts' }).click();
  await expect.poll(() => shown.kept()).toEqual({ open: '["steps",0]' });
});
