import { html, type TemplateResult } from 'lit-html';
import type { Attempt } from '../../protocol/catalogue.ts';
import { icon, type IconName } from '../shared/icons.ts';
import type { InspectedDelivery } from './messages.ts';
import { facts, part } from '../shared/parts.ts';
import { clock, exactTime, took } from '../shared/quantities.ts';
import type { InspectorContext } from './state.ts';

const look: Record<InspectedDelivery['status'], { icon: IconName; words: string }> = {
  delivered: { icon: 'check', words: 'delivered' },
  pending: { icon: 'loading', words: 'pending' },
  retrying: { icon: 'warning', words: 'retrying' },
  exhausted: { icon: 'error', words: 'exhausted' },
  cancelled: { icon: 'close', words: 'cancelled' },
};

/** The webhooks the event was sent to, with every attempt. */
export function deliveriesView(
  deliveries: readonly InspectedDelivery[],
  context: InspectorContext,
): TemplateResult {
  if (deliveries.length === 0) {
    return part('Deliveries', 'no webhook was subscribed', '', false);
  }
  const delivered = deliveries.filter(({ status }) => status === 'delivered').length;
  const about = `${delivered} of ${deliveries.length} delivered`;
  return part(
    'Deliveries',
    about,
    deliveries.map((delivery) => deliveryView(delivery, context)),
  );
}

function deliveryView(
  delivery: InspectedDelivery,
  { redeliver }: InspectorContext,
): TemplateResult {
  const { status, webhook, attempts, next_attempt_at: next } = delivery;
  return html`<section class="delivery ${status}">
    <div class="heading">
      ${icon(look[status].icon)}
      <h3>${webhook ?? 'A deleted webhook'}</h3>
      <span class="about">
        ${look[status].words}${status === 'retrying' && next !== null ? `, again at ${clock(next)}` : ''}
      </span>
      <fieldset class="acts inline">
        <button class="link" ?disabled=${webhook === null} @click=${() => redeliver(delivery.id)}>
          Redeliver
        </button>
      </fieldset>
    </div>
    ${attempts.map((attempt, at) => attemptView(attempt, at + 1))}
  </section>`;
}

function attemptView(attempt: Attempt, n: number): TemplateResult {
  const { response, error, request } = attempt;
  const answer = response === null ? (error?.message ?? 'no answer') : `HTTP ${response.status}`;
  return html`<details class="inner">
    <summary>
      <h4>Attempt ${n}</h4>
      <span class="about"
        >${answer} · ${took(attempt.timing.total_ms)} · ${exactTime(attempt.at)}</span
      >
    </summary>
    <h4>Request</h4>
    ${facts([[request.method, request.url], ...Object.entries(request.headers)])}
    <h4>Answer</h4>
    ${response === null ? html`<p>${error?.message ?? 'No answer.'}</p>` : answerView(response)}
  </details>`;
}

function answerView({ status, headers, body }: NonNullable<Attempt['response']>): TemplateResult {
  return html`${facts([['Status', String(status)], ...Object.entries(headers)])}
  ${body === '' ? '' : html`<pre tabindex="0">${body}</pre>`}`;
}
