import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../shared/icons.ts';
import type { FormContext } from './fields/field.ts';
import { problemsOf } from './validate.ts';

/** The button, the failure of the last attempt, and the progress of the present one. */
export function footer({ state, editor, post }: FormContext): TemplateResult {
  const isBusy = state.phase === 'submitting';
  return html`<footer>
    <div class="inner">
      ${isBusy ? progress(state.progress) : failure(state.failure)}
      <div class="row">
        <fieldset class="acts inline">
          <button
            type="button"
            id="submit"
            class="primary"
            ?disabled=${isBusy}
            title="Ctrl+Enter or ⌘Enter"
            @click=${() => editor.submit()}
          >
            ${isBusy || state.submitNext ? icon('loading') : nothing} ${state.form?.verb}
          </button>
        </fieldset>
        <button
          type="button"
          class="secondary"
          @click=${() => post({ t: isBusy ? 'stop' : 'dismiss' })}
        >
          Cancel
        </button>
        ${isBusy ? nothing : remaining(state)}
      </div>
    </div>
  </footer>`;
}

/** Counts only problems that are shown: a new form has none yet. */
function remaining({
  props,
  values,
  touched,
}: FormContext['state']): TemplateResult | typeof nothing {
  const wrong = Object.keys(problemsOf(props, values)).filter((name) => touched.has(name)).length;
  if (wrong === 0) return nothing;
  return html`<span class="problem">
    ${icon('error')}<span
      >${wrong === 1 ? '1 field needs' : `${wrong} fields need`} another look</span
    >
  </span>`;
}

function progress(messages: readonly string[]): TemplateResult {
  return html`<ol class="progress">
    ${messages.map(
      (message, at) =>
        html`<li class=${at === messages.length - 1 ? 'now' : 'done'}>
          ${icon(at === messages.length - 1 ? 'loading' : 'check')} ${message}
        </li>`,
    )}
  </ol>`;
}

function failure(failed: FormContext['state']['failure']): TemplateResult | typeof nothing {
  if (failed === null) return nothing;
  const { problem, log } = failed;
  return html`<div class="alert alert-error" id="failure" role="alert" tabindex="-1">
    ${icon('error')}
    <div>
      <p>${problem}</p>
      ${
        log.length === 0
          ? nothing
          : html`<details>
              <summary>${icon('chevronRight')} Output</summary>
              <pre>${log.join('\n')}</pre>
            </details>`
      }
    </div>
  </div>`;
}
