import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { own } from '../../../protocol/own.ts';
import { icon } from '../../shared/icons.ts';
import { unitOf, units } from '../interval.ts';
import type { SchedulePreview, TimerValue } from '../messages.ts';
import { labelOf, timerOf } from '../values.ts';
import { framed, type Field } from './field.ts';
import { textIn } from './text.ts';

/** An interval, or a cron expression with its meaning in words. */
export function timerField(field: Field): TemplateResult {
  const { prop, editor, value, id, state } = field;
  const timer = timerOf(value);
  const isCron = timer !== undefined && 'cron' in timer;
  const choose = (next: TimerValue): void => editor.choose(prop, next);
  const control = html`<div class="timer">
    <div class="row">
      <label class="radio">
        <input
          type="radio"
          id=${id}
          name="${id}-kind"
          .checked=${live(!isCron)}
          @change=${() => choose({ intervalSeconds: 900 })}
        />
        Interval
      </label>
      <label class="radio">
        <input
          type="radio"
          name="${id}-kind"
          .checked=${live(isCron)}
          @change=${() => choose({ cron: '0 9 * * 1-5', timezone: localZone() })}
        />
        Cron expression
      </label>
    </div>
    ${
      timer !== undefined && 'cron' in timer
        ? cron(field, timer)
        : interval(field, timer?.intervalSeconds)
    }
    ${timer === undefined ? nothing : preview(own(state.schedules, prop.name), isCron)}
  </div>`;
  return framed(field, control, { group: true });
}

function interval(field: Field, seconds: number | undefined): TemplateResult {
  const { prop, editor, id } = field;
  const chosen = shownInterval(field, seconds);
  const set = (count: string, unit: number): void => {
    const value = count.trim() === '' ? Number.NaN : Number(count);
    const draft = { unit, count };
    editor.draft(prop, draft, count.trim() === '' ? undefined : { intervalSeconds: value * unit });
  };
  return html`<div class="row">
    <span>Every</span>
    <input
      type="text"
      class="count"
      inputmode="decimal"
      autocomplete="off"
      aria-label="${labelOf(prop)}, how many"
      aria-describedby="${id}-problem"
      aria-invalid=${field.problem !== undefined}
      .value=${live(chosen.count)}
      @input=${(event: InputEvent) => set(textIn(event), chosen.unit)}
      @change=${() => editor.commit(prop)}
    />
    <select
      aria-label="${labelOf(prop)}, unit"
      @change=${(event: Event) => {
        set(chosen.count, Number(textIn(event)));
        editor.commit(prop);
      }}
    >
      ${units.map(
        ({ name, seconds: size }) =>
          html`<option value=${size} .selected=${live(size === chosen.unit)}>${name}</option>`,
      )}
    </select>
  </div>`;
}

/** The typed text while it has the same value: 60 minutes must not turn into an hour. */
function shownInterval(
  { state: { drafts }, prop }: Field,
  seconds: number | undefined,
): { readonly count: string; readonly unit: number } {
  const draft = own(drafts, prop.name);
  if (typeof draft === 'object' && draft !== null && 'unit' in draft && 'count' in draft) {
    const { unit, count } = draft as { unit: number; count: string };
    const stands =
      count.trim() === '' ? seconds === undefined : Object.is(Number(count) * unit, seconds);
    if (stands) return { unit, count };
  }
  if (seconds === undefined || Number.isNaN(seconds)) return { unit: 60, count: '' };
  const unit = unitOf(seconds);
  return { unit: unit.seconds, count: String(seconds / unit.seconds) };
}

function cron(field: Field, timer: Extract<TimerValue, { cron: string }>): TemplateResult {
  const { prop, editor, id } = field;
  const zone = timer.timezone ?? 'UTC';
  return html`<div class="row">
      <input
        type="text"
        class="cron code"
        autocomplete="off"
        spellcheck="false"
        aria-label="${labelOf(prop)}, cron expression"
        aria-describedby="${id}-problem ${id}-preview"
        aria-invalid=${field.problem !== undefined}
        .value=${live(timer.cron)}
        @input=${(event: InputEvent) => editor.change(prop, { ...timer, cron: textIn(event) })}
        @change=${() => editor.commit(prop)}
      />
      <input
        type="text"
        class="zone"
        list="${id}-zones"
        autocomplete="off"
        aria-label="${labelOf(prop)}, time zone"
        .value=${live(zone)}
        @change=${(event: Event) => {
          const timezone = textIn(event).trim();
          editor.choose(prop, timezone === '' ? { cron: timer.cron } : { ...timer, timezone });
        }}
      />
      <datalist id="${id}-zones">
        ${zones().map((name) => html`<option value=${name}></option>`)}
      </datalist>
    </div>
    <span hidden id="${id}-preview">Minute, hour, day of the month, month, day of the week.</span>`;
}

function preview(schedule: SchedulePreview | undefined, isCron: boolean): TemplateResult {
  if (schedule === undefined) return html``;
  const { problem, warning, words, next } = schedule;
  if (problem !== null) {
    return html`<p class="problem">${icon('error')}<span>${problem}</span></p>`;
  }
  return html`${
    warning === null ? nothing : html`<p class="note">${icon('warning')}<span>${warning}</span></p>`
  }
  ${
    isCron
      ? html`<div class="preview">
          ${words === null ? nothing : html`<p class="words">${words}</p>`}
          <p class="hint">Next runs, in your time (${localZone()}):</p>
          <ol>
            ${next.map((at) => html`<li>${clock.format(at)}</li>`)}
          </ol>
        </div>`
      : nothing
  }`;
}

const clock = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

let known: readonly string[] | undefined;

function zones(): readonly string[] {
  known ??= ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return known;
}
