import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { form, formGone, submit } from './support/form.ts';
import { row, runCommand, screenshot, waitFor } from './support/ui.ts';
import { inWorkspace, open, startAfresh, weir } from './support/weir.ts';

suite('the prop form', () => {
  suiteSetup(startAfresh);

  test('deploys with a text, an option the component lists, a secret and an account', async () => {
    await deployFile('tickets.mjs', tickets);
    const shown = await form('Deploy Tickets');
    await shown.getByRole('button', { name: 'Add account' }).click();
    await shown.getByLabel('Key 1').fill('api_key');
    await shown.getByLabel('Value 1').fill('k-123');
    await shown.getByRole('button', { name: 'Save account' }).click();
    await waitFor('the account', async () =>
      (await shown.getByLabel('Tracker account').inputValue()).startsWith('apn_'),
    );

    await shown.getByRole('combobox', { name: 'Project' }).click();
    await shown.getByRole('option', { name: 'Load more…' }).click();
    await shown.getByRole('option', { name: 'Project 4' }).click();
    await shown.getByLabel('How many', { exact: true }).fill('11');
    await shown.getByLabel('Token').fill('hush');
    await shown.getByRole('button', { name: 'Deploy', exact: true }).click();
    await shown.getByText('The most is 10.').waitFor();
    await screenshot('form-problem');
    await shown.getByLabel('How many', { exact: true }).fill('3');
    await submit(shown);

    await (await row('Sources', 'Tickets')).waitFor();
    const { active, configured_props: props } = await deployed('Tickets');
    strictEqual(active, true);
    deepStrictEqual(props['project'], { __lv: { label: 'Project 4', value: 'p4' } });
    strictEqual(props['count'], 3);
    deepStrictEqual(props['token'], { secret: true });
  });

  test('Configure shows what is stored, the secret only as set', async () => {
    await runCommand('Weir: Configure Source…');
    const shown = await form('Configure Tickets');
    strictEqual(await shown.getByRole('combobox', { name: 'Project' }).inputValue(), 'Project 4');
    await shown.getByText('Set', { exact: true }).waitFor();
    ok(!(await shown.locator('body').innerHTML()).includes('hush'));
    await shown.getByRole('button', { name: 'Cancel' }).click();
    await formGone();
  });
});

async function deployFile(name: string, code: string): Promise<void> {
  const file = inWorkspace('components', name);
  await writeFile(file, code);
  await open(file);
  await runCommand('Weir: Deploy Component…');
}

async function deployed(name: string) {
  const { data } = await (await weir()).runtime.call('sources.list', { limit: 100 });
  const source = data.find((one) => one.name === name);
  ok(source, `${name} is deployed`);
  return source;
}

const tickets = `const tracker = { type: "app", app: "tracker", methods: {}, propDefinitions: {
  project: { type: "string", label: "Project", description: "Whose tickets are watched.",
    options({ page }) {
      if (this.$auth.api_key !== "k-123") throw new Error("no such key");
      return page > 1 ? [] : [1, 2, 3].map((n) => ({ label: "Project " + (n + 3 * page), value: "p" + (n + 3 * page) }));
    } } } };
export default {
  key: "tickets", name: "Tickets", version: "0.0.1", type: "source",
  description: "Emits each ticket of a **project**. [What it needs](https://example.com/tickets)",
  props: {
    tracker,
    project: { propDefinition: [tracker, "project"] },
    count: { type: "integer", label: "How many", description: "Tickets per run.", min: 1, max: 10 },
    token: { type: "string", label: "Token", secret: true },
    timer: { type: "$.interface.timer", label: "Schedule", default: { intervalSeconds: 900 } },
    note: { type: "string", label: "Note", optional: true },
  },
  async run() {
    this.$emit({ project: this.project });
  },
};
`;
