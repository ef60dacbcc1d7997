import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { AccountHealth } from '../../../protocol/account-health.ts';
import { needsNoAccount } from '../../../protocol/definition.ts';
import type { AccountChoice } from '../messages.ts';
import { own } from '../../../protocol/own.ts';
import { icon } from '../../shared/icons.ts';
import { isRecord } from '../../../protocol/record.ts';
import { framed, type Field } from './field.ts';
import { newAccount } from './new-account.ts';
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
  const connecting = state.connecting?.prop === prop.name ? state.connecting : null;
  const account = accounts.find((one) => one.id === chosen);
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
              ${labelled(account)}
            </option>`,
        )}
        ${isGone ? html`<option value=${chosen} selected>${chosen} (deleted)</option>` : nothing}
      </select>
      ${known?.connects === true ? connectButton(field, connecting?.problem === null) : nothing}
      ${
        isAdding
          ? nothing
          : html`<button type="button" class="secondary" @click=${() => field.accounts.start(prop)}>
              ${known?.connects === true ? 'Enter keys' : html`${icon('add')} Add account`}
            </button>`
      }
    </div>
    ${account === undefined ? nothing : stateLine(field, account)}
    ${connecting?.problem ? html`<p class="problem">${icon('error')}<span>${connecting.problem}</span></p>` : nothing}
    ${isAdding ? newAccount(field, app) : nothing}
    ${known?.problem ? html`<p class="problem">${icon('error')}<span>${known.problem}</span></p>` : nothing}
    ${
      chosen === undefined && field.required && !isAdding
        ? html`<p class="note">${icon('info')}<span>${withoutAccount(prop)}</span></p>`
        : nothing
    }`;
  return framed(field, control);
}

function withoutAccount(prop: Field['prop']): string {
  return needsNoAccount(prop)
    ? 'This component reads no credentials: it needs no account.'
    : 'Without an account the component runs with no credentials.';
}

function connectButton(field: Field, isBusy: boolean): TemplateResult {
  const { prop, accounts } = field;
  return html`<button
    type="button"
    class="secondary"
    ?disabled=${isBusy}
    @click=${() => accounts.connect(prop, null)}
  >
    ${isBusy ? html`${icon('loading')} Connecting in the browser` : html`${icon('add')} Connect…`}
  </button>`;
}

function labelled({ name, health }: AccountChoice): string {
  if (health?.state === 'dead') return `${name} (connect again)`;
  return health?.state === 'failing' ? `${name} (failing)` : name;
}

/** The state of the chosen account, and its owner. The state of an account with keys is unknown. */
function stateLine(
  field: Field,
  { id, health, isShared = false }: AccountChoice,
): TemplateResult | typeof nothing {
  if (health !== undefined && health.state !== 'healthy') return unwellLine(field, id, health);
  const words = [
    ...(health === undefined ? [] : ['Connected and healthy.']),
    ...(isShared ? ['All your folders share it.'] : []),
  ];
  if (words.length === 0) return nothing;
  return html`<p class="note">
    ${icon(health === undefined ? 'info' : 'check')}<span>${words.join(' ')}</span>
  </p>`;
}

/** The problem of an account, and what its user can do about it right here. */
function unwellLine(
  { prop, accounts, state }: Field,
  chosen: string,
  { state: health, why }: AccountHealth,
): TemplateResult {
  const isBusy = state.connecting?.prop === prop.name && state.connecting.problem === null;
  const again = html`<button
    type="button"
    class="link"
    ?disabled=${isBusy}
    @click=${() => accounts.connect(prop, chosen)}
  >
    Connect again
  </button>`;
  const words = why ?? 'The account does not work any more.';
  return health === 'dead'
    ? html`<p class="problem health">${icon('error')}<span>${words}</span>${again}</p>`
    : html`<p class="note health">${icon('warning')}<span>${words}</span>${again}</p>`;
}

function accountOf(value: unknown): string | undefined {
  const id = isRecord(value) ? value['authProvisionId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
