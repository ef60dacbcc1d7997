import { parsePageMessage } from '../../../src/extension/builder/page-message.ts';
import type {
  HostMessage,
  Model,
  PageMessage,
  PageState,
  Values,
} from '../../../src/webview/builder/messages.ts';
import { loadPage, type ShownPage } from './page.ts';

export type ShownBuilder = ShownPage<PageMessage, HostMessage, PageState>;

export function modelOf(values: Values | null, part: Partial<Model> = {}): Model {
  return {
    version: 1,
    folder: 'orders',
    values,
    isEmpty: false,
    problem: null,
    isDeployed: true,
    isDry: false,
    mayEdit: true,
    ...part,
  };
}

export async function showBuilder(model: Model): Promise<ShownBuilder> {
  const shown: ShownBuilder = await loadPage({ bundle: 'builder', parse: parsePageMessage });
  await shown.say({ t: 'model', model });
  await shown.page.locator('h1').waitFor();
  return shown;
}

export const orders: Values = {
  schema: 'workflow/2022.04',
  name: 'Orders',
  triggers: [{ uses: '$.interface.http', props: { response: 'workflow' } }],
  steps: [
    { namespace: 'total', uses: './total/entry.ts', props: { items: '{{event.body.items}}' } },
    {
      namespace: 'size',
      control: 'ifelse',
      branches: [
        {
          name: 'large',
          when: '{{steps.total.$return_value > 100}}',
          steps: [{ namespace: 'call', uses: 'slack-send-message@0.1.2', disabled: true }],
        },
      ],
      else: { steps: [{ namespace: 'mail', uses: './mail/entry.py' }] },
    },
    { namespace: 'each_1', control: 'each', on: '{{event.body.items}}', steps: [] },
  ],
};

/** Conditions of every kind. */
export const ruled: Values = {
  schema: 'workflow/2022.04',
  name: 'Ruled',
  triggers: [{ uses: '$.interface.timer', props: { intervalSeconds: 900 } }, { id: 'hi_d4e5f6' }],
  steps: [
    {
      namespace: 'kind',
      control: 'ifelse',
      branches: [
        {
          name: 'vip',
          when: {
            t: 'and',
            r: [
              { a: '{{steps.trigger.event.body.amount}}', op: 'num>', b: 100 },
              {
                t: 'or',
                r: [
                  { a: '{{steps.trigger.event.body.country}}', op: 'str=', b: 'DE' },
                  { a: '{{steps.trigger.event.body.vip}}', op: '!isFalse' },
                ],
              },
            ],
          },
          steps: [],
        },
        { name: 'odd', when: { t: 'xor', r: [], note: 'mine' }, steps: [] },
        { name: 'rest', when: 'always', steps: [] },
      ],
    },
    {
      namespace: 'only_paid',
      uses: './only_paid/entry.js',
      props: {
        _filter: {
          continue: 'true',
          rules: { t: 'and', r: [{ a: '{{steps.trigger.event.body.paid}}', op: 'isTrue' }] },
        },
      },
    },
    {
      namespace: 'where',
      control: 'switch',
      on: '{{steps.trigger.event.body.country}}',
      branches: [{ name: 'home', when: 'DE', steps: [] }],
      else: { disabled: true, steps: [] },
    },
  ],
};
