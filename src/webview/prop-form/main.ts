import { html, render } from 'lit-html';
import { connectHost } from '../shared/vscode-api.ts';
import { createAccountEditor } from './account-editor.ts';
import { createOptionPicker } from './option-picker.ts';
import { createPage } from './page.ts';
import { createFormEditor } from './form-editor.ts';
import { footer } from './footer.ts';
import { formView, noForm } from './form-view.ts';
import { createMessageHandler } from './host-messages.ts';
import type { HostMessage, PageMessage, PageState } from './messages.ts';
import type { FormState } from './state.ts';
import './form.css';

const host = connectHost<HostMessage, PageMessage, PageState>();
const kept = host.kept();
let subject = kept?.subject;

const page = createPage(show, (message) => host.post(message));
const editor = createFormEditor(page);
const picker = createOptionPicker(page, editor);
const accounts = createAccountEditor(page);
const receive = createMessageHandler(page, editor, kept?.values);

function show(state: FormState): void {
  // The values contain no secrets, so all of them may be kept.
  if (state.form !== null) host.keep({ subject, values: state.values });
  const context = {
    state,
    editor,
    picker,
    accounts,
    post: (message: PageMessage) => page.post(message),
  };
  const isShown = state.form !== null;
  render(
    html`<main>
        ${isShown ? formView(context) : noForm(state, () => page.post({ t: 'retry' }))}
        ${isShown ? footer(context) : ''}
      </main>
      <div class="unseen" role="status" aria-live="polite">${state.announced}</div>`,
    document.body,
  );
}

host.listen((message) => {
  if ('subject' in message) ({ subject } = message);
  receive(message);
});
window.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    // What is being typed is reported by the change event, which only a blur triggers.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    editor.submit();
  }
});
page.post({ t: 'ready' });
