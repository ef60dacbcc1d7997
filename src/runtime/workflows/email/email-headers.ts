/** Headers of a message as the platform's e-mail triggers give them: by name, those with a structure taken apart (pure). */
import type { Address, addressParser, decodeWords } from 'postal-mime';

export interface HeaderLine {
  /** In lower case. */
  readonly key: string;
  readonly value: string;
}

export interface HeaderTools {
  readonly addressParser: typeof addressParser;
  readonly decodeWords: typeof decodeWords;
}

const addresses: ReadonlySet<string> = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'sender',
  'reply-to',
  'delivered-to',
  'return-path',
  'disposition-notification-to',
]);
const structured: ReadonlySet<string> = new Set([
  'content-type',
  'content-disposition',
  'dkim-signature',
]);

/** A header that occurs several times becomes a list. */
export function emailHeaders(
  lines: readonly HeaderLine[],
  tools: HeaderTools,
): Record<string, unknown> {
  const headers = new Map<string, unknown[]>();
  for (const { key, value } of lines) {
    const values = headers.get(key) ?? [];
    values.push(valueOf(key, value, tools));
    headers.set(key, values);
  }
  return Object.fromEntries(
    [...headers].map(([key, values]) => [key, values.length === 1 ? values[0] : values]),
  );
}

function valueOf(key: string, text: string, { addressParser, decodeWords }: HeaderTools): unknown {
  if (addresses.has(key)) return addressesOf(addressParser(text));
  if (structured.has(key)) return paramsOf(text);
  const value = decodeWords(text);
  if (key !== 'date') return value;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : date.toISOString();
}

/** As mail programs write and show them. */
function addressesOf(parsed: readonly Address[]): object {
  const value = parsed.flatMap((one) => one.group ?? [one]);
  const shown = value.map(({ name, address }) => ({
    text: name === '' ? address : `"${name}" <${address}>`,
    html:
      name === ''
        ? `<a href="mailto:${escaped(address)}">${escaped(address)}</a>`
        : `${escaped(name)} &lt;<a href="mailto:${escaped(address)}">${escaped(address)}</a>&gt;`,
  }));
  return {
    value: value.map(({ name, address }) => ({ address, name })),
    html: shown.map(({ html }) => html).join(', '),
    text: shown.map(({ text }) => text).join(', '),
  };
}

/** `text/plain; charset="utf-8"`. */
function paramsOf(text: string): object {
  const [first = '', ...rest] = text.match(/(?:"(?:[^"\\]|\\.)*"|[^;"])+/g) ?? [];
  const params = rest.flatMap((part) => {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*([^]*?)\s*$/.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), plain(value)]];
  });
  return { value: first.trim(), params: Object.fromEntries(params) as Record<string, string> };
}

function plain(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
