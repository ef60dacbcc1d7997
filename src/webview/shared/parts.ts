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
