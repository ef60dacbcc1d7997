import { html, svg, type TemplateResult } from 'lit-html';
import type { Activity } from '../../protocol/catalogue.ts';

const height = 32;
const barWidth = 4;
const gap = 1;
/** The smallest bar that can be seen. */
const least = 2;

/** Events and failed runs of an emitter over time, one bar per interval, also in words. */
export function sparkline(activity: Activity): TemplateResult {
  const { emitted, failed } = activity;
  const most = Math.max(1, ...emitted, ...failed);
  const width = emitted.length * (barWidth + gap);
  const bar = (count: number, at: number, kind: string, isLower: boolean) => {
    if (count === 0) return '';
    const tall = Math.max(least, (count / most) * (height / 2 - 1));
    const y = isLower ? height / 2 + 1 : height / 2 - tall;
    return svg`<rect class=${kind} x=${at * (barWidth + gap)} y=${y} width=${barWidth} height=${tall} />`;
  };
  return html`<figure class="activity">
    <svg
      role="img"
      aria-label=${inWords(activity)}
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
    >
      ${svg`<rect class="axis" x="0" y=${height / 2} width=${width} height="0.5" />`}
      ${emitted.map((count, at) => bar(count, at, 'emitted', false))}
      ${failed.map((count, at) => bar(count, at, 'failed', true))}
    </svg>
    <div class="span" aria-hidden="true">
      <span>${hoursOf(activity)} h ago</span><span>now</span>
    </div>
    <figcaption>${inWords(activity)}</figcaption>
  </figure>`;
}

function hoursOf({ emitted, bucket_ms: bucket }: Activity): number {
  return Math.round((bucket * emitted.length) / 3_600_000);
}

export function inWords(activity: Activity): string {
  const { emitted, failed } = activity;
  const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0);
  const events = sum(emitted) === 1 ? '1 event' : `${sum(emitted)} events`;
  const failures = sum(failed);
  const runs =
    failures === 0 ? 'no failed run' : failures === 1 ? '1 failed run' : `${failures} failed runs`;
  return `${events}, ${runs} in the last ${hoursOf(activity)} hours`;
}
