/** The plots of a workflow's page: how long its executions took, and how they ended. */
import { html, nothing, svg } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { part } from '../shared/parts.ts';
import { exactTime, took } from '../shared/quantities.ts';
import type { Point, WorkflowPage } from './messages.ts';
import { durationPlot, outcomeOf, successPlot, type SuccessBar } from './plots.ts';
import type { WorkflowContext } from './state.ts';

/** Of the drawings, in units of their own: they are as wide as the page. */
const width = 800;
const height = 160;
const left = 64;
const top = 8;
const bottom = 22;
/** Of one bar alone. */
const mostBar = 48;
const inner = { width: width - left - 8, height: height - top - bottom };

export function durationsPart({ points, total }: WorkflowPage, context: WorkflowContext): unknown {
  const { marks, ticks, median, most } = durationPlot(points);
  if (median === null || most === null) return '';
  const about = `median ${took(median)}, longest ${took(most)}`;
  const which =
    points.length < total ? `the last ${marks.length} that ended` : `${marks.length} that ended`;
  const { durations } = context.state.current;
  const current = marks.some(({ point }) => point.id === durations)
    ? durations
    : marks.at(-1)?.point.id;
  const [xOf, yOf] = [
    (x: number) => left + x * inner.width,
    (y: number) => top + (1 - y) * inner.height,
  ];
  return part(
    'Durations',
    about,
    html`<svg
        class="plot"
        role="group"
        aria-label=${`Durations of ${which}, oldest first: ${about}`}
        viewBox="0 0 ${width} ${height}"
        @keydown=${context.walk}
      >
        ${ticks.map(
          ({ ms, y }) => svg`<g aria-hidden="true">
            <line class="grid" x1=${left} x2=${width - 8} y1=${yOf(y)} y2=${yOf(y)} />
            <text class="tick" x=${left - 8} y=${yOf(y) + 4} text-anchor="end">${took(ms)}</text>
          </g>`,
        )}
        <text class="tick" aria-hidden="true" x=${left} y=${height - 4}>
          ${exactDay(marks[0]?.point.at)}
        </text>
        <text class="tick" aria-hidden="true" x=${width - 8} y=${height - 4} text-anchor="end">
          ${exactDay(marks.at(-1)?.point.at)}
        </text>
        ${repeat(
          marks,
          ({ point }) => point.id,
          ({ point, x, y }) => {
            const outcome = outcomeOf(point.status);
            const words = pointInWords(point);
            return svg`<g
            class=${`mark ${outcome}`}
            role="button"
            data-mark=${point.id}
            tabindex=${point.id === current ? 0 : -1}
            aria-label=${words}
            transform=${`translate(${xOf(x).toFixed(1)} ${yOf(y).toFixed(1)})`}
            @click=${() => context.ask({ t: 'open', id: point.id })}
            @focus=${() => context.focused({ durations: point.id })}
          >
            <title>${words}</title>
            <rect class="area" x=${(-inner.width / marks.length / 2).toFixed(1)} y="-12" width=${(inner.width / marks.length).toFixed(1)} height="24" />
            ${shapeOf(outcome)}
          </g>`;
          },
        )}
      </svg>
      ${legend(['succeeded', 'failed', 'other'], points)}`,
  );
}

/** Distinguished by shape as well as by color. */
function shapeOf(outcome: ReturnType<typeof outcomeOf>): unknown {
  if (outcome === 'failed') return svg`<path class="shape" d="M-4 -4 4 4M4 -4 -4 4" />`;
  if (outcome === 'succeeded') return svg`<circle class="shape" r="3.5" />`;
  return svg`<rect class="shape" x="-3" y="-3" width="6" height="6" />`;
}

const legendWords = { succeeded: 'succeeded', failed: 'failed', other: 'cancelled or dropped' };

function legend(outcomes: readonly (keyof typeof legendWords)[], points: readonly Point[]) {
  const there = outcomes.filter((one) => points.some(({ status }) => outcomeOf(status) === one));
  return html`<p class="legend about" aria-hidden="true">
    ${there.map(
      (outcome) =>
        html`<span class=${`mark ${outcome}`}>
          <svg viewBox="-6 -6 12 12">${shapeOf(outcome)}</svg> ${legendWords[outcome]}
        </span>`,
    )}
  </p>`;
}

function pointInWords({ id, title, status, words, at, took: lasted }: Point): string {
  return [
    id,
    status.replace('_', ' '),
    lasted === null ? '' : took(lasted),
    exactTime(at),
    title,
    words ?? '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

export function successPart(points: readonly Point[], context: WorkflowContext): unknown {
  const plot = successPlot(points);
  if (plot === undefined) return '';
  const { bars, from, to, most, rate } = plot;
  const about = rate === null ? '' : `${percent(rate)} of the last executions succeeded`;
  const chosen = context.state.current.success;
  const current = bars.some((bar) => bar.from === chosen) ? chosen : bars.at(-1)?.from;
  const span = Math.max(1, to - from);
  const yOf = (count: number): number => top + (1 - count / most) * inner.height;
  return part(
    'Success over time',
    about,
    html`<svg
      class="plot"
      role="group"
      aria-label=${`Executions over time by how they ended: ${about}`}
      viewBox="0 0 ${width} ${height}"
      @keydown=${context.walk}
    >
      ${[0, most].map(
        (count) => svg`<g aria-hidden="true">
          <line class="grid" x1=${left} x2=${width - 8} y1=${yOf(count)} y2=${yOf(count)} />
          <text class="tick" x=${left - 8} y=${yOf(count) + 4} text-anchor="end">${count}</text>
        </g>`,
      )}
      <text class="tick" aria-hidden="true" x=${left} y=${height - 4}>${exactDay(from)}</text>
      <text class="tick" aria-hidden="true" x=${width - 8} y=${height - 4} text-anchor="end">
        ${exactDay(to)}
      </text>
      ${repeat(
        bars,
        (bar) => bar.from,
        (bar) => {
          const words = barInWords(bar);
          const x = left + ((bar.from - from) / span) * inner.width;
          const wide = Math.min(
            mostBar,
            Math.max(3, ((bar.to - bar.from) / span) * inner.width - 2),
          );
          let base = 0;
          const piece = (kind: 'succeeded' | 'other' | 'failed') => {
            const count = bar[kind];
            base += count;
            if (count === 0) return nothing;
            const tall = yOf(base - count) - yOf(base);
            return svg`<rect class=${`piece ${kind}`} x=${x.toFixed(1)} y=${yOf(base).toFixed(1)} width=${wide.toFixed(1)} height=${tall.toFixed(1)} />`;
          };
          return svg`<g
          class="mark bar"
          role="button"
          data-mark=${String(bar.from)}
          tabindex=${bar.from === current ? 0 : -1}
          aria-label=${words}
          @click=${() => context.ask({ t: 'open', id: bar.shown.id })}
          @focus=${() => context.focused({ success: bar.from })}
        >
          <title>${words}</title>
          <rect class="area" x=${x.toFixed(1)} y=${top} width=${wide.toFixed(1)} height=${inner.height} />
          ${piece('succeeded')}${piece('other')}${piece('failed')}
        </g>`;
        },
      )}
    </svg>`,
  );
}

function barInWords({ from, to, succeeded, failed, other, shown }: SuccessBar): string {
  const counts = [
    `${succeeded} succeeded`,
    `${failed} failed`,
    other === 0 ? '' : `${other} cancelled or dropped`,
  ].filter((text) => text !== '');
  return `${exactTime(from)} to ${exactTime(to)}: ${counts.join(', ')}; opens ${shown.id}`;
}

/** 99.6 % is not all. */
function percent(rate: number): string {
  const shown = rate === 1 ? 100 : Math.min(99, Math.round(rate * 100));
  return `${shown} %`;
}

function exactDay(at: number | undefined): string {
  return at === undefined
    ? ''
    : new Date(at).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
}
