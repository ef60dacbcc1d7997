import { html, nothing, type TemplateResult } from 'lit-html';
import { Lexer, type Token, type Tokens } from 'marked';
import { own } from '../../protocol/own.ts';

type Part = TemplateResult | string | typeof nothing;

/**
 * Untrusted Markdown as elements. It needs no sanitizer: only the kinds of tokens below become
 * elements, and everything else, HTML above all, stays text.
 */
export function markdown(source: string): TemplateResult {
  return html`<div class="markdown">${blocks(Lexer.lex(source, { gfm: true }))}</div>`;
}

function blocks(tokens: readonly Token[]): Part[] {
  return tokens.map((token) => block(token));
}

function block(token: Token): Part {
  switch (token.type) {
    case 'space':
    case 'def':
      return nothing;
    case 'paragraph':
      return html`<p>${inlines(token.tokens)}</p>`;
    // As a heading it would become part of the form's own outline.
    case 'heading':
      return html`<p><strong>${inlines(token.tokens)}</strong></p>`;
    case 'code':
      return html`<pre><code>${(token as Tokens.Code).text}</code></pre>`;
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens ?? [])}</blockquote>`;
    case 'hr':
      return html`<hr />`;
    case 'list':
      return list(token as Tokens.List);
    case 'text':
      return html`${inlines(token.tokens ?? [token])}`;
    default:
      return token.raw;
  }
}

function list({ ordered, items }: Tokens.List): TemplateResult {
  const rows = items.map((item) => html`<li>${blocks(item.tokens)}</li>`);
  return ordered
    ? html`<ol>
        ${rows}
      </ol>`
    : html`<ul>
        ${rows}
      </ul>`;
}

function inlines(tokens: readonly Token[] | undefined): Part[] {
  return (tokens ?? []).map((token) => inline(token));
}

function inline(token: Token): Part {
  switch (token.type) {
    case 'strong':
      return html`<strong>${inlines(token.tokens)}</strong>`;
    case 'em':
      return html`<em>${inlines(token.tokens)}</em>`;
    case 'del':
      return html`<del>${inlines(token.tokens)}</del>`;
    case 'codespan':
      return html`<code>${(token as Tokens.Codespan).text}</code>`;
    case 'br':
      return html`<br />`;
    case 'link':
      return link((token as Tokens.Link).href, inlines(token.tokens));
    // Nothing is fetched for a description: a picture becomes a link to itself.
    case 'image':
      return link((token as Tokens.Image).href, [(token as Tokens.Image).text || 'picture']);
    case 'escape':
    case 'text':
      return decoded((token as Tokens.Text).text);
    default:
      return token.raw;
  }
}

/** Only web addresses: no commands, files or scripts. */
function link(href: string, content: readonly Part[]): Part {
  return isWebAddress(href)
    ? html`<a href=${href} title=${href}>${content}</a>`
    : html`<span>${content}</span>`;
}

function isWebAddress(href: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: '\u00a0',
};

function decoded(text: string): string {
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => own(entities, name) ?? whole);
}
