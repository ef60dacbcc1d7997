import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { own } from '../../../protocol/own.ts';
import { icon } from '../../shared/icons.ts';
import { isRecord, labelOf } from '../values.ts';
import { framed, type Field } from './field.ts';
import { textIn } from './text.ts';

/** The account of an app prop, from a list that can be added to. */
export function accountField(field: Field): TemplateResult {
  const { prop, state, id, editor } = field;
  const app = prop.app ?? prop.name;
  const known = own(state.accounts, app);
  const chosen = accountOf(field.value);
  const accounts = known?.accounts ?? [];
  const isGone =
    known !== undefined && chosen !== undefined && !accounts.some((one) => one.id === chosen);
  const isAdding = state.accountDraft?.prop === prop.name;
  const control = html`<div class="row">
      <select
        id=${id}
        aria-describedby=${field.describedBy}
        aria-invalid=${field.problem !== undefined}
        @change=${(event: Event) => {
          const account = textIn(event);
          editor.choose(prop, account === '' ? undefined : { authProvisionId: account });
        }}
      >
        <option value="" .selected=${live(chosen === undefined)}>No account</option>
        ${accounts.map(
          (account) =>
            html`<option value=${account.id} .selected=${live(account.id === chosen)}>
              ${account.name}
            </option>`,
        )}
        ${isGone ? html`<option value=${chosen} selected>${chosen} (deleted)</option>` : nothing}
      </select>
      ${
        isAdding
          ? nothing
          : html`<button type="button" class="secondary" @click=${() => field.accounts.start(prop)}>
              ${icon('add')} Add account
            </button>`
      }
    </div>
    ${isAdding ? newAccount(field, app) : nothing}
    ${known?.problem ? html`<p class="problem">${icon('error')}<span>${known.problem}</span></p>` : nothing}
    ${
      chosen === undefined && field.required && !isAdding
        ? html`<p class="note">
            ${icon('info')}<span>Without an account the component runs with no credentials.</span>
          </p>`
        : nothing
    }`;
  return framed(field, control);
}

function accountOf(value: unknown): string | undefined {
  const id = isRecord(value) ? value['authProvisionId'] : undefined;
  return typeof id === 'string' ? id : undefined;
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

function newAccount(field: Field, app: string): TemplateResult {
  const { prop, id, accounts, state } = field;
  const draft = state.accountDraft;
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
    <span class="label">Keys</span>
    <p class="hint">
      What the component reads as <code>$auth</code>, such as <code>api_key</code>.
    </p>
    ${Array.from(
      { length: draft?.rows ?? 1 },
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
    </div>
    ${draft?.problem ? html`<p class="problem">${icon('error')}<span>${draft.problem}</span></p>` : nothing}
    <div class="row">
      <button type="button" class="primary" ?disabled=${draft?.busy} @click=${save}>
        ${draft?.busy ? icon('loading') : nothing} Save account
      </button>
      <button type="button" class="secondary" @click=${() => accounts.cancel(prop)}>Cancel</button>
    </div>
  </div>`;
}
