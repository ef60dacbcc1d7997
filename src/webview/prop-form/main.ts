import { html, render } from 'lit-html';
import { connectHost } from '../shared/vscode-api.ts';
import { createAddingAccounts } from './accounts.ts';
import { createChoosing } from './choosing.ts';
import { createPage } from './create-page.ts';
import { createEditing } from './editing.ts';
import { footer } from './footer.ts';
import { formView, noForm } from './form-view.ts';
import { createListener } from './listening.ts';
import type { HostMessage, PageMessage, PageState } from './messages.ts';
import type { FormState } from './state.ts';
import './form.css';

const host = connectHost<HostMessage, PageMessage, PageState>();
const kept = host.kept();
let subject = kept?.subject;

const page = createPage(show, (message) => host.post(message));
const editing = createEditing(page);
const choosing = createChoosing(page, editing);
const accounts = createAddingAccounts(page);
const listen = createListener(page, editing, kept?.values);

function show(state: FormState): void {
  // No secret is among the values, so all of them may be kept.
  if (state.form !== null) host.keep({ subject, values: state.values });
  const drawing = {
    state,
    editing,
    choosing,
    accounts,
    post: (message: PageMessage) => page.post(message),
  };
  const isShown = state.form !== null;
  render(
    html`<main>
        ${isShown ? formView(drawing) : noForm(state, () => page.post({ t: 'retry' }))}
        ${isShown ? footer(drawing) : ''}
      </main>
      <div class="unseen" role="status" aria-live="polite">${state.announced}</div>`,
    document.body,
  );
}

host.listen((message) => {
  if ('subject' in message) ({ subject } = message);
  listen(message);
});
window.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    // What is being typed is told by the change event, which only a blur makes.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    editing.submit();
  }
});
page.post({ t: 'ready' });
