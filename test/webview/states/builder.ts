import { model } from '../support/form.ts';
import { modelOf, orders, ruled, showBuilder } from '../support/builder.ts';

/** Every state the builder can be in, by what is to be seen. */
export const builderStates = {
  async 'a workflow with branches'() {
    const shown = await showBuilder(modelOf(orders));
    await shown.say({
      t: 'runs',
      about: 'failed 2 min ago',
      runs: {
        total: { status: 'succeeded', about: '12 ms' },
        'size.$else.mail': { status: 'failed', about: 'Error: no address' },
      },
    });
    await shown.say({
      t: 'marks',
      marks: [
        {
          path: ['steps', 2],
          severity: 'error',
          message: '"control: each" needs "steps".',
          line: 20,
        },
      ],
    });
    await shown.page.getByText('needs "steps"').waitFor();
    return shown;
  },

  async 'an empty file'() {
    return showBuilder(modelOf(null, { isEmpty: true }));
  },

  async 'a text that cannot be read'() {
    const problem = { message: 'This is not valid YAML: a colon is missing', line: 7 };
    return showBuilder(modelOf(null, { problem }));
  },

  async 'a step with its props'() {
    const shown = await showBuilder(modelOf(orders));
    await shown.page.getByRole('button', { name: 'total ./total/entry.ts' }).click();
    const { form } = await shown.heard('openForm');
    const props = [
      { name: 'items', type: 'any', label: 'Items' },
      { name: 'greeting', label: 'Greeting', description: 'What it says.' },
    ];
    const message = {
      t: 'form' as const,
      subject: null,
      form: model(props, {
        heading: '',
        about: '',
        verb: '',
        values: { items: '{{event.body.items}}' },
        expressions: true,
      }),
    };
    await shown.say({ t: 'form', form, message });
    const steps = { trigger: { event: { body: { items: [{ price: 3 }] } } } };
    await shown.say({ t: 'data', path: ['steps', 0], steps, given: { items: [{ price: 3 }] } });
    await shown.page.getByRole('button', { name: 'Choose from the last execution' }).click();
    await shown.page.getByRole('tree').waitFor();
    return shown;
  },

  async 'a step that is being added'() {
    const shown = await showBuilder(modelOf(orders));
    await shown.page.getByText('Add step').last().click();
    await shown.say({
      t: 'components',
      problem: null,
      components: [
        {
          uses: 'slack-send-message@0.1.2',
          name: 'Send Message',
          description: null,
          from: 'package',
        },
      ],
    });
    await shown.page.getByText('Send Message').waitFor();
    const offered = [
      ['slack-archive-channel', 'Archive Channel', 'slack'],
      ['github-create-issue', 'Create Issue', 'github'],
    ] as const;
    await shown.say({
      t: 'offers',
      search: { query: '', app: null },
      problems: ['acme: it did not answer within 5 seconds.'],
      offers: offered.map(([key, name, app]) => ({
        uses: `${key}@0.1.0`,
        name,
        description: null,
        from: 'components · 2 months ago · MIT',
        app,
      })),
    });
    await shown.page.getByText('Create Issue').waitFor();
    return shown;
  },

  async 'the rules of a branch, and the data to choose from'() {
    const shown = await showBuilder(modelOf(ruled));
    await shown.page.getByRole('button', { name: 'vip when' }).click();
    await shown.page.getByLabel('Operator of rule 1').first().waitFor();
    const steps = { trigger: { event: { body: { amount: 120, tags: ['vip'] } } } };
    await shown.say({
      t: 'data',
      path: ['steps', 0, 'branches', 0],
      steps,
      given: null,
    });
    await shown.page
      .getByRole('button', { name: 'Choose from the last execution: value of rule 1' })
      .first()
      .click();
    await shown.page.getByRole('tree').waitFor();
    return shown;
  },

  async 'rules that only their text can show'() {
    const shown = await showBuilder(modelOf(ruled));
    await shown.page.getByRole('button', { name: 'odd when' }).click();
    await shown.page.getByLabel('As JSON').waitFor();
    await shown.page.getByLabel('As JSON').fill('{"t": "xor"');
    await shown.page.getByText('This is not JSON yet').waitFor();
    return shown;
  },

  async 'a filter'() {
    const shown = await showBuilder(modelOf(ruled));
    await shown.page.getByRole('button', { name: 'only_paid Filter' }).click();
    await shown.page.getByLabel('Operator of rule 1').waitFor();
    return shown;
  },

  async 'a schedule'() {
    const shown = await showBuilder(modelOf(ruled));
    await shown.page.getByRole('button', { name: /^Schedule ./ }).click();
    await shown.page.getByRole('radio', { name: 'Interval' }).waitFor();
    return shown;
  },

  async 'the settings of the workflow'() {
    const shown = await showBuilder(modelOf(orders));
    await shown.page.getByRole('button', { name: 'Settings' }).click();
    await shown.page.getByLabel('Name', { exact: true }).waitFor();
    return shown;
  },
};
