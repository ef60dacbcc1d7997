import { html, type TemplateResult } from 'lit-html';

/** A part of the page that can be folded, with its content summarised in the title. */
export function part(
  title: string,
  about: string,
  content: unknown,
  isOpen = true,
): TemplateResult {
  return html`<details class="part" ?open=${isOpen}>
    <summary>
      <h2>${title}</h2>
      <span class="about">${about}</span>
    </summary>
    ${content}
  </details>`;
}

/** Names and values side by side; those without a value are left out. */
export function facts(rows: readonly (readonly [name: string, value: unknown])[]): TemplateResult {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl class="facts">
    ${known.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Date and time to the millisecond. */
export function exactTime(at: number): string {
  const date = new Date(at);
  return `${date.toLocaleDateString()} ${clock(at)}`;
}

export function clock(at: number): string {
  const time = new Date(at).toLocaleTimeString([], { hour12: false });
  return `${time}.${String(at % 1000).padStart(3, '0')}`;
}

export function took(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
