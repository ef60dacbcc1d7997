/** Props that a form shows but nobody fills in. */
import { html, type TemplateResult } from 'lit-html';
import type { ConfigurableProp } from '../../../protocol/definition.ts';
import { own } from '../../../protocol/own.ts';
import { icon, type IconName } from '../../shared/icons.ts';
import { markdown } from '../../shared/markdown.ts';
import { inWords } from '../interval.ts';
import { labelOf, textOf, timerOf } from '../values.ts';
import { framed, type Field } from './field.ts';

const alertIcons: Readonly<Record<string, IconName>> = {
  info: 'info',
  neutral: 'info',
  warning: 'warning',
  error: 'error',
};

/** A banner by the component's author. */
export function alertBanner(prop: ConfigurableProp): TemplateResult {
  const kind = Object.hasOwn(alertIcons, prop.alertType ?? '')
    ? (prop.alertType ?? 'info')
    : 'info';
  return html`<div class="alert alert-${kind}" role="note">
    ${icon(alertIcons[kind] ?? 'info')}
    <div>${markdown(prop.content ?? '')}</div>
  </div>`;
}

/** The endpoint of an HTTP interface, to copy. */
export function httpField(field: Field): TemplateResult {
  const { prop, id, post, state } = field;
  const endpoint = own(state.endpoints, prop.name);
  const isReserved = endpoint !== undefined && state.form?.verb === 'Deploy';
  const control =
    endpoint === undefined
      ? html`<p id=${id} class="quiet">Gets its own URL when it is deployed.</p>`
      : html`<div class="row">
          <input id=${id} class="code endpoint" type="text" readonly .value=${endpoint} />
          <button
            type="button"
            class="secondary"
            aria-label="Copy ${labelOf(prop)}"
            @click=${() => post({ t: 'copyEndpoint', prop: prop.name })}
          >
            ${icon('copy')} Copy
          </button>
        </div>`;
  return framed(field, control, {
    group: endpoint === undefined,
    hint: isReserved ? 'Answers as soon as the source is deployed.' : undefined,
  });
}

/** A schedule fixed by the component, or a disabled prop. */
export function fixedField(field: Field): TemplateResult {
  const { prop, id, value } = field;
  const text = prop.type === '$.interface.timer' ? scheduleText(prop) : textOf(value);
  const control = html`<p id=${id} class="fixed">
    ${icon('lock')}<span>${text || 'Not set'}</span>
  </p>`;
  return framed(field, control, {
    group: true,
    hint: prop.disabled === true ? 'Switched off by the component.' : 'Fixed by the component.',
  });
}

function scheduleText(prop: ConfigurableProp): string {
  const timer = timerOf(prop.static) ?? timerOf(prop.default) ?? timerOf(prop);
  if (timer === undefined) return '';
  return 'cron' in timer ? timer.cron : inWords(timer.intervalSeconds);
}
