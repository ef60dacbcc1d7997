/** Applies the host's messages to the page. */
import { own } from '../../protocol/own.ts';
import type { FormEditor } from './form-editor.ts';
import { showProblems } from './form-editor.ts';
import type { HostMessage, Values } from './messages.ts';
import type { Page } from './page.ts';
import { withForm, withProps, withValue } from './state.ts';
import { timerOf, valueOf } from './values.ts';

/**
 * @param kept values from before a reload of the window
 * @returns applies one message; to be called with all of them in order
 */
export function createMessageHandler(
  page: Page,
  editor: FormEditor,
  kept: Values | undefined,
): (message: HostMessage) => void {
  let restored = kept;
  return (message) => {
    switch (message.t) {
      case 'loading':
        return page.update((state) => ({ ...state, phase: 'loading', note: message.message }));
      case 'unavailable':
        return page.update((state) => ({ ...state, phase: 'unavailable', note: message.problem }));
      case 'form': {
        const before = page.state.form === null ? restored : page.state.values;
        const isFirst = page.state.form === null;
        restored = undefined;
        page.update((state) => withForm(state, message.form, before));
        if (message.form.dynamic) editor.reload();
        else editor.started();
        previewTimers(page, editor);
        if (isFirst) focusFirst(page);
        return;
      }
      case 'props':
        return receiveProps(page, editor, message);
      case 'options':
        return page.update((state) => {
          const list = own(state.lists, message.prop);
          if (list?.request !== message.request) return state;
          const options = [...list.options, ...message.options];
          const { more, problem } = message;
          const lists = {
            ...state.lists,
            [message.prop]: { ...list, options, more, problem, request: null },
          };
          const count = options.length === 1 ? 'one option' : `${options.length} options`;
          return { ...state, lists, announced: problem ?? `${count} to choose from.` };
        });
      case 'accounts':
        return receiveAccounts(page, editor, message);
      case 'connected':
        return receiveConnected(page, editor, message);
      case 'endpoints':
        return page.update((state) => ({ ...state, endpoints: message.urls }));
      case 'schedule':
        return page.update((state) => ({
          ...state,
          schedules: { ...state.schedules, [message.prop]: message.preview },
        }));
      case 'progress':
        return page.update((state) => ({
          ...state,
          phase: 'submitting',
          progress: message.messages,
          announced: message.messages.at(-1) ?? '',
        }));
      case 'cancelled':
        return page.update((state) => ({
          ...state,
          phase: 'editing',
          progress: [],
          failure: { problem: 'Cancelled.', log: [] },
        }));
      case 'failed': {
        const { problem, problems, log } = message;
        const wrong = Object.keys(problems);
        page.update((state) => ({
          ...state,
          phase: 'editing',
          hostProblems: problems,
          failure: wrong.length > 0 ? null : { problem, log },
        }));
        if (wrong.length > 0) showProblems(page, wrong);
        else page.focus('#failure');
        return;
      }
      default:
        return message satisfies never;
    }
  };
}

type State = Page['state'];

function receiveProps(
  page: Page,
  editor: FormEditor,
  { request, props, problem }: Extract<HostMessage, { t: 'props' }>,
): void {
  const { reload, submitNext } = page.state;
  if (reload?.request !== request) return;
  page.update((state) => {
    const next = { ...state, reload: null, submitNext: false };
    if (props !== null) return withProps(next, props);
    return reload.prop === ''
      ? withReloadFailure(next, problem)
      : withHostProblem(next, reload.prop, problem);
  });
  if (props === null) return;
  editor.settle();
  if (submitNext) editor.submit();
}

/** Until something is configured, it is normal that a component cannot compute its props yet. */
function withReloadFailure(state: State, problem: string | null): State {
  const isConfigured = Object.keys(state.form?.values ?? {}).length > 0;
  return isConfigured && problem !== null ? { ...state, failure: { problem, log: [] } } : state;
}

function withHostProblem(state: State, prop: string, problem: string | null): State {
  return {
    ...state,
    hostProblems: {
      ...state.hostProblems,
      [prop]: problem ?? 'The other fields could not be loaded for this value.',
    },
    announced: problem ?? '',
  };
}

function previewTimers(page: Page, editor: FormEditor): void {
  for (const prop of page.state.props) {
    if (prop.type !== '$.interface.timer') continue;
    if (timerOf(valueOf(prop, page.state.values)) !== undefined) editor.preview(prop);
  }
}

/** Focuses the first field with a known problem, else the first control. */
function focusFirst(page: Page): void {
  const wrong = Object.keys(page.state.form?.problems ?? {});
  if (wrong.length > 0) showProblems(page, wrong);
  else page.focus('.field :is(input:not([readonly]), textarea, select)');
}

function receiveAccounts(
  page: Page,
  editor: FormEditor,
  {
    app,
    accounts,
    added,
    problem,
    connects,
    sendsEvents = false,
    keyForm,
    sharing,
  }: Extract<HostMessage, { t: 'accounts' }>,
): void {
  const { accountDraft } = page.state;
  const adding = page.state.props.find(({ name }) => name === accountDraft?.prop);
  const isOurs =
    accountDraft?.busy === true && adding !== undefined && (adding.app ?? adding.name) === app;
  if (isOurs && problem !== null) {
    page.update((state) => ({ ...state, accountDraft: { ...accountDraft, busy: false, problem } }));
    return;
  }
  page.update((state) => {
    const next = {
      ...state,
      accounts: {
        ...state.accounts,
        [app]: {
          accounts,
          problem,
          connects,
          sendsEvents,
          ...(keyForm && { keyForm }),
          ...(sharing !== undefined && { sharing }),
        },
      },
    };
    if (added === null || !isOurs) return next;
    return {
      ...withValue(next, adding.name, { authProvisionId: added }),
      accountDraft: null,
      announced: 'The account was added.',
    };
  });
  if (added === null && accounts.length === 1) chooseOnly(page, editor, app, accounts[0]);
  if (added === null || !isOurs) return;
  editor.commit(adding);
  page.focus(`[data-prop="${CSS.escape(adding.name)}"] select`);
}

function receiveConnected(
  page: Page,
  editor: FormEditor,
  { app, account, problem }: Extract<HostMessage, { t: 'connected' }>,
): void {
  const { connecting, props } = page.state;
  const prop = props.find(({ name }) => name === connecting?.prop);
  if (prop === undefined || (prop.app ?? prop.name) !== app) return;
  if (problem !== null) {
    const failed = { prop: prop.name, problem };
    page.update((state) => ({ ...state, connecting: failed, announced: problem }));
  } else if (account === null) {
    page.update((state) => ({ ...state, connecting: null, announced: 'Nothing was connected.' }));
  } else {
    page.update((state) => ({
      ...withValue(state, prop.name, { authProvisionId: account }),
      connecting: null,
      announced: 'The account is connected.',
    }));
    editor.commit(prop);
  }
  page.focus(`[data-prop="${CSS.escape(prop.name)}"] select`);
}

/** The only account of an app is what a required prop of it can mean, unless something is chosen already. */
function chooseOnly(
  page: Page,
  editor: FormEditor,
  app: string,
  only: { readonly id: string } | undefined,
): void {
  if (only === undefined) return;
  for (const prop of page.state.props) {
    const isOpen = prop.optional !== true && own(page.state.values, prop.name) === undefined;
    if (prop.type !== 'app' || (prop.app ?? prop.name) !== app || !isOpen) continue;
    page.update((state) => withValue(state, prop.name, { authProvisionId: only.id }));
    editor.commit(prop);
  }
}
