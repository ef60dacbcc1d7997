import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { form, formGone, submit } from './support/form.ts';
import { until } from '../support/until.ts';
import { row } from './support/rows.ts';
import { lens, runCommand, screenshot, themes, useTheme, workbench } from './support/ui.ts';
import { edit, helloFile, inWorkspace, open, post, startAfresh, weir } from './support/weir.ts';

suite('the prop form', () => {
  suiteSetup(startAfresh);

  test('deploys with an account, an option the component lists, a secret and a schedule', async () => {
    await deployFile('tickets.mjs', tickets);
    const shown = await form('Deploy Tickets');
    await shown.getByRole('button', { name: 'Add account' }).click();
    // What its code reads is known.
    await shown.getByLabel('Api key').fill('k-123');
    await shown.getByRole('button', { name: 'Save account' }).click();
    await until('the account', async () =>
      (await shown.getByLabel('Tracker account', { exact: true }).inputValue()).startsWith('apn_'),
    );

    await shown.getByRole('combobox', { name: 'Project' }).click();
    await shown.getByRole('option', { name: 'Load more…' }).click();
    await shown.getByRole('option', { name: 'Project 4' }).click();
    await shown.getByLabel('How many', { exact: true }).fill('11');
    await shown.getByLabel('Token').fill('hush');
    await shown.getByLabel('Cron expression').check();
    await shown.getByText('At 09:00, Monday through Friday').waitFor();
    await shown.getByRole('button', { name: 'Deploy', exact: true }).click();
    await shown.getByText('Must be 10 or less.').waitFor();
    await screenshot('form-problem');
    await shown.getByLabel('How many', { exact: true }).fill('3');
    await submit(shown);

    await (await row('Sources', 'Tickets')).waitFor();
    const { active, configured_props: props } = await deployed('Tickets');
    strictEqual(active, true);
    deepStrictEqual(props['project'], { __lv: { label: 'Project 4', value: 'p4' } });
    strictEqual(props['count'], 3);
    deepStrictEqual(props['token'], { secret: true });
    strictEqual((props['timer'] as { cron: string }).cron, '0 9 * * 1-5');
  });

  test('Configure shows what is stored, a secret only as set, and keeps what is not changed', async () => {
    await vscode.commands.executeCommand('weir.configure', 'tickets');
    const shown = await form('Configure Tickets');
    strictEqual(await shown.getByRole('combobox', { name: 'Project' }).inputValue(), 'Project 4');
    await shown.getByText('Set', { exact: true }).waitFor();
    ok(!(await shown.locator('body').innerHTML()).includes('hush'));
    await shown.getByLabel('How many', { exact: true }).fill('4');
    await submit(shown);
    const { configured_props: props } = await deployed('Tickets');
    strictEqual(props['count'], 4);
    deepStrictEqual(props['token'], { secret: true });
  });

  test('what was typed is there again after another tab was in front', async () => {
    await vscode.commands.executeCommand('weir.configure', 'tickets');
    await (await form('Configure Tickets')).getByLabel('How many', { exact: true }).fill('7');
    await open(helloFile());
    await formGone();
    await vscode.commands.executeCommand('weir.configure', 'tickets');
    const again = await form('Configure Tickets');
    strictEqual(await again.getByLabel('How many', { exact: true }).inputValue(), '7');
    await again.getByRole('button', { name: 'Cancel' }).click();
    await formGone();
  });

  test('Update opens it for what the new code requires, at the field', async () => {
    const file = inWorkspace('components', 'tickets.mjs');
    await open(file);
    await edit(file, (text) =>
      text.replace('note:', 'region: { type: "string", label: "Region" }, note:'),
    );
    await (await lens('Update')).click();
    const shown = await form('Update Tickets');
    await shown.locator('[data-prop="region"]').getByText('A value is required.').waitFor();
    await shown.getByLabel('Region').fill('eu');
    await submit(shown);
    await until('the update', async () => {
      const { configured_props: props } = await deployed('Tickets');
      return props['region'] === 'eu' && (props['token'] as { secret?: boolean }).secret === true;
    });
  });

  test('a choice that changes the other fields, and the component’s own words when it is wrong', async () => {
    await deployFile('sheet.mjs', sheet);
    const shown = await form('Deploy Sheet');
    await shown.getByLabel('Sheet').fill('none');
    await shown.getByLabel('Sheet').blur();
    await shown.getByText('There is no sheet called none.').first().waitFor();
    await shown.getByLabel('Sheet').fill('people');
    await shown.getByLabel('Sheet').blur();
    await shown.getByLabel('First name').fill('Ada');
    await submit(shown);
    strictEqual((await deployed('Sheet')).configured_props['first'], 'Ada');
  });

  test('the endpoint is there before the deploy, and a failed hook says why', async () => {
    await deployFile('moody.mjs', moody);
    const shown = await form('Deploy Moody');
    const endpoint = await shown.getByLabel('Endpoint', { exact: true }).inputValue();
    match(endpoint, /^http:\/\/127\.0\.0\.1:\d+\/h\/hi_/);
    await shown.getByRole('button', { name: 'Copy Endpoint' }).click();
    await until('the clipboard', async () => (await vscode.env.clipboard.readText()) === endpoint);
    await shown.getByLabel('Mood').fill('bad');
    await shown.getByRole('button', { name: 'Deploy', exact: true }).click();
    await shown
      .getByRole('alert')
      .getByText('The deploy hook of Moody failed: Not in this mood.')
      .waitFor();
    await shown.getByText('Output').click();
    await shown.getByText(`asked at ${endpoint}`).waitFor();
    await screenshot('form-failed');

    await shown.getByLabel('Mood').fill('slow');
    await shown.getByRole('button', { name: 'Deploy', exact: true }).click();
    await shown.getByRole('listitem').getByText('Running the deploy hook').waitFor();
    await screenshot('form-steps');
    await shown.getByRole('button', { name: 'Cancel' }).click();
    await shown.getByText('Cancelled.').first().waitFor();

    await shown.getByLabel('Mood').fill('good');
    await submit(shown);
    strictEqual((await deployed('Moody')).endpoint_url, endpoint);
    strictEqual((await post(endpoint, {})).status, 200);
  });

  test('a saved change of the file is in the form at once', async () => {
    await deployFile('growing.mjs', growing);
    const shown = await form('Deploy Growing');
    await shown.getByLabel('First').fill('kept');
    const document = await vscode.workspace.openTextDocument(
      inWorkspace('components', 'growing.mjs'),
    );
    const change = new vscode.WorkspaceEdit();
    const at = document.positionAt(document.getText().indexOf('first:'));
    change.insert(document.uri, at, 'second: { type: "string", label: "Second" }, ');
    await vscode.workspace.applyEdit(change);
    await document.save();
    await shown.getByLabel('Second').waitFor();
    strictEqual(await shown.getByLabel('First').inputValue(), 'kept');
    await shown.getByRole('button', { name: 'Cancel' }).click();
    await formGone();
  });

  for (const theme of themes) {
    test(`looks right in ${theme}`, async () => {
      await useTheme(theme);
      await vscode.commands.executeCommand('weir.configure', 'tickets');
      const shown = await form('Configure Tickets');
      const wanted = theme.startsWith('high') ? 'vscode-high-contrast' : `vscode-${theme}`;
      await until('the theme', async () =>
        ((await shown.locator('body').getAttribute('class')) ?? '').includes(wanted),
      );
      await shown.getByRole('combobox', { name: 'Project' }).click();
      await shown.getByRole('option', { name: 'Project 2' }).waitFor();
      await screenshot(`form-${theme}`);
      await shown.getByRole('button', { name: 'Cancel' }).click();
      await formGone();
    });
  }

  suiteTeardown(() => useTheme(undefined));
});

async function deployFile(name: string, code: string): Promise<void> {
  const file = inWorkspace('components', name);
  await writeFile(file, code);
  await open(file);
  const page = await workbench();
  await page.locator('.tab.active', { hasText: name }).waitFor();
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

const sheet = `class ConfigurationError extends Error { name = "ConfigurationError"; }
export default {
  key: "sheet", name: "Sheet", version: "0.0.1", type: "source",
  props: { sheet: { type: "string", label: "Sheet", reloadProps: true } },
  async additionalProps() {
    if (this.sheet === undefined) return {};
    if (this.sheet !== "people") throw new ConfigurationError("There is no sheet called " + this.sheet + ".");
    return { first: { type: "string", label: "First name" } };
  },
  async run() {},
};
`;

const moody = `export default {
  key: "moody", name: "Moody", version: "0.0.1", type: "source",
  props: { http: "$.interface.http", mood: { type: "string", label: "Mood" } },
  hooks: {
    async deploy() {
      console.log("asked at " + this.http.endpoint);
      if (this.mood === "bad") throw new Error("Not in this mood.");
      if (this.mood === "slow") await new Promise((done) => setTimeout(done, 60_000));
    },
  },
  async run() {},
};
`;

const growing = `export default {
  key: "growing", name: "Growing", version: "0.0.1", type: "source",
  props: { first: { type: "string", label: "First" } },
  async run() {},
};
`;
