import { parsePageMessage } from '../../../src/extension/forms/page-message.ts';
import type { ConfigurableProp } from '../../../src/protocol/definition.ts';
import type {
  FormModel,
  HostMessage,
  PageMessage,
  PageState,
} from '../../../src/webview/prop-form/messages.ts';
import { loadPage, type ShownPage, type Theme } from './page.ts';

export { allThemes, useBrowser, type Theme } from './page.ts';

export type ShownForm = ShownPage<PageMessage, HostMessage, PageState>;

export interface ShowOptions {
  readonly theme?: Theme;
  /** From before a reload of the window. */
  readonly kept?: PageState;
  readonly width?: number;
}

export function load(options: ShowOptions = {}): Promise<ShownForm> {
  return loadPage({ ...options, bundle: 'prop-form', parse: parsePageMessage });
}

/** A form about these props. */
export function model(
  props: readonly Partial<ConfigurableProp>[],
  part: Partial<FormModel> = {},
): FormModel {
  return {
    heading: 'Deploy Tickets',
    about: 'components/tickets.mjs',
    description: null,
    verb: 'Deploy',
    props: props.map((prop, at) => ({ name: `p${at}`, type: 'string', ...prop })),
    values: {},
    secrets: [],
    dynamic: false,
    problems: {},
    ...part,
  };
}

export const subject = { kind: 'deploy', runtime: '/w/.weir', file: '/w/tickets.mjs' };

/** The page with this form on it. */
export async function showForm(form: FormModel, options?: ShowOptions): Promise<ShownForm> {
  const shown = await load(options);
  await shown.say({ t: 'form', subject, form });
  await shown.page.locator('h1', { hasText: form.heading }).waitFor();
  return shown;
}

/** Presses the form's button and hands out what the host gets. */
export async function submitted(form: ShownForm): Promise<Readonly<Record<string, unknown>>> {
  await form.page.locator('#submit').click();
  return (await form.heard('submit')).values;
}
