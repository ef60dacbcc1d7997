/** A new account of keys: the fields that its app is known to need, else keys that the user names. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { formOfKeys, type KeyForm } from '../../../protocol/key-forms.ts';
import { own } from '../../../protocol/own.ts';
import { icon } from '../../shared/icons.ts';
import { labelOf } from '../values.ts';
import type { Field } from './field.ts';

/** What the component was found to read of its account. */
function readKeys({ auth_keys: keys }: Field['prop']): string[] {
  return Array.isArray(keys) ? (keys as unknown[]).filter((key) => typeof key === 'string') : [];
}

/** Common names of fields of `$auth`, offered as suggestions. */
const usualKeys = [
  'api_key',
  'oauth_access_token',
  'access_token',
  'token',
  'username',
  'password',
];

/** What is asked for a new account of keys, below the list. */
export function newAccount(field: Field, app: string): TemplateResult {
  const { prop, id, accounts, state } = field;
  const draft = state.accountDraft;
  const known = own(state.accounts, app)?.keyForm ?? formOfKeys(readKeys(prop));
  const form = draft?.isFree === true ? undefined : known;
  const save = (event: Event): void => {
    const { currentTarget } = event;
    const fields = currentTarget instanceof Element ? currentTarget.closest('.account') : null;
    if (fields instanceof HTMLElement) accounts.save(prop, fields);
  };
  return html`<div
    class="account panel"
    role="group"
    aria-label="New account for ${labelOf(prop)}"
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
      event.preventDefault();
      save(event);
    }}
  >
    <label class="label" for="${id}-account-name">Name of the account</label>
    <input
      id="${id}-account-name"
      class="account-name"
      type="text"
      value=${app}
      autocomplete="off"
    />
    ${form === undefined ? namedKeys(field) : knownKeys(field, form)}
    ${whose(field, own(state.accounts, app)?.sharing)}
    ${draft?.problem ? html`<p class="problem">${icon('error')}<span>${draft.problem}</span></p>` : nothing}
    <div class="row">
      <button type="button" class="primary" ?disabled=${draft?.busy} @click=${save}>
        ${draft?.busy ? icon('loading') : nothing} Save account
      </button>
      <button type="button" class="secondary" @click=${() => accounts.cancel(prop)}>Cancel</button>
    </div>
  </div>`;
}

/** For which folders. @param sharing what is chosen at first; undefined where there is no choice */
function whose({ id }: Field, sharing: boolean | undefined): TemplateResult | typeof nothing {
  if (sharing === undefined) return nothing;
  return html`<div role="radiogroup" aria-labelledby="${id}-whose">
    <span class="label" id="${id}-whose">Available in</span>
    <div class="row">
      <label class="radio">
        <input type="radio" name="${id}-whose" ?checked=${!sharing} /> This folder
      </label>
      <label class="radio">
        <input type="radio" class="account-shared" name="${id}-whose" ?checked=${sharing} />
        All your folders
      </label>
    </div>
  </div>`;
}

/** One input for each key that is known to be read. */
function knownKeys({ id, prop, accounts }: Field, { name, fields }: KeyForm): TemplateResult {
  return html`${name === null ? nothing : html`<p class="hint">${name}</p>`}
    ${fields.map(
      ({ name: key, label, description, default: usual, optional, secret }) =>
        html`<div class="account-row">
          <label class="label" for="${id}-key-${key}">
            ${label}${optional ? html` <span class="optional">optional</span>` : nothing}
          </label>
          <input
            id="${id}-key-${key}"
            class="account-value"
            type=${secret ? 'password' : 'text'}
            value=${usual}
            data-key=${key}
            data-label=${label}
            data-optional=${optional ? '' : nothing}
            aria-describedby=${description === '' ? nothing : `${id}-about-${key}`}
            autocomplete="off"
            spellcheck="false"
          />
          ${description === '' ? nothing : html`<p class="hint" id="${id}-about-${key}">${description}</p>`}
        </div>`,
    )}
    <div class="row">
      <button type="button" class="link" @click=${() => accounts.nameKeys(prop)}>
        ${icon('add')} Other keys
      </button>
    </div>`;
}

/** Keys of any name, for apps of which nobody knows what they read. */
function namedKeys({ id, accounts, state }: Field): TemplateResult {
  return html`<span class="label">Keys</span>
    <p class="hint">
      What the component reads as <code>$auth</code>, such as <code>api_key</code>.
    </p>
    ${Array.from(
      { length: state.accountDraft?.rows ?? 1 },
      (_, at) =>
        html`<div class="row pair account-row">
          <input
            class="account-key"
            type="text"
            list="${id}-usual-keys"
            placeholder="Key"
            aria-label="Key ${at + 1}"
            autocomplete="off"
            spellcheck="false"
          />
          <input
            class="account-value"
            type="password"
            placeholder="Value"
            aria-label="Value ${at + 1}"
            autocomplete="off"
          />
        </div>`,
    )}
    <datalist id="${id}-usual-keys">
      ${usualKeys.map((key) => html`<option value=${key}></option>`)}
    </datalist>
    <div class="row">
      <button type="button" class="link" @click=${() => accounts.addRow()}>
        ${icon('add')} Add key
      </button>
    </div>`;
}
