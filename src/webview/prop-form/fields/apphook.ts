import { html, type TemplateResult } from 'lit-html';
import { own } from '../../../protocol/own.ts';
import { icon } from '../../shared/icons.ts';
import type { AccountWebhookChoice } from '../messages.ts';
import { labelOf } from '../values.ts';
import { isRecord } from '../../../protocol/record.ts';
import { framed, type Field } from './field.ts';

/** Events that an app sends, where a definition says how it does (P8.13, P8.21). */
export function apphookField(field: Field): TemplateResult {
  const { prop, state } = field;
  const appProp = state.props.find(({ type, name }) => type === 'app' && name === prop['appProp']);
  const known = own(state.accounts, appProp?.app ?? appProp?.name ?? '');
  const chosen = appProp && own(state.values, appProp.name);
  const id = isRecord(chosen) ? chosen['authProvisionId'] : undefined;
  const account = known?.accounts.find((one) => one.id === id);
  if (account?.webhook !== undefined) return webhookField(field, account.id, account.webhook);
  return note(
    field,
    known?.sendsEvents === true
      ? 'Choose an account: the address that the app sends its events to comes with it.'
      : 'No definition says how the app sends these events here. Run the source by hand with a sample event.',
  );
}

function note(field: Field, text: string): TemplateResult {
  const control = html`<p class="note">${icon('info')}<span>${text}</span></p>`;
  return framed(field, control, { group: true });
}

function webhookField(
  field: Field,
  account: string,
  webhook: AccountWebhookChoice,
): TemplateResult {
  const { url, register, secretName, hasSecret, oneAddress } = webhook;
  const { post, prop, id } = field;
  const address = oneAddress
    ? html`<div class="row">
        <input
          class="code endpoint"
          type="text"
          readonly
          aria-labelledby="${id}-label"
          .value=${url}
        />
        <button
          type="button"
          class="secondary"
          aria-label="Copy ${labelOf(prop)}"
          @click=${() => post({ t: 'copyWebhook', account })}
        >
          ${icon('copy')} Copy
        </button>
      </div>`
    : html`<p class="quiet">Gets its own address, which the deployed source shows.</p>`;
  const enter = html`<button
    type="button"
    class="link"
    @click=${() => post({ t: 'signingSecret', account })}
  >
    ${hasSecret ? 'Change…' : `Enter the ${secretName}…`}
  </button>`;
  const secret = hasSecret
    ? html`<p class="note health">
        ${icon('check')}<span>The ${secretName} is entered.</span>${enter}
      </p>`
    : html`<p class="note health">
        ${icon('warning')}<span>Events are refused until the ${secretName} is entered.</span
        >${enter}
      </p>`;
  return framed(field, html`${address}${secret}`, { group: true, hint: register });
}
