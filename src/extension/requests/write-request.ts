import { addressOfUrl } from './endpoint-addresses.ts';
import { parseHttpFile } from './http-file.ts';
import { replaceDefined } from './prepare-request.ts';

/** A text to which a request was added. */
export interface ExtendedFile {
  readonly text: string;
  /** Number of the added request line, 0-based. */
  readonly line: number;
}

export interface RequestParts {
  readonly title: string;
  readonly method: string;
  /** The part after the endpoint: a path, a query, both or nothing. */
  readonly target: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** As it is written: text, or `< ./file`. */
  readonly body: string;
}

/** A first request for an endpoint, as something to begin with. */
export const sampleRequest: Omit<RequestParts, 'title'> = {
  method: 'POST',
  target: '/',
  headers: [{ name: 'content-type', value: 'application/json' }],
  body: '{\n  "hello": "weir"\n}',
};

/**
 * Adds a request to the end of a text, and the variable for its endpoint unless the text has one.
 * @param text of the file; empty for a new one
 * @param slug of the source: the variable's name where `endpoint` means another one
 */
export function withRequest(
  text: string,
  endpoint: string,
  slug: string,
  request: RequestParts,
): ExtendedFile {
  const { variables } = parseHttpFile(text);
  const id = addressOfUrl(endpoint)?.id;
  const defined = variables.find(
    ({ value }) => addressOfUrl(replaceDefined(value, variables))?.id === id,
  );
  const isTaken = (name: string): boolean => variables.some((one) => one.name === name);
  const name = defined?.name ?? freeName(slug, isTaken);
  const before = text.trim() === '' ? '' : `${text.trimEnd()}\n\n`;
  const definition = `@${name} = ${endpoint}\n`;
  // A definition above the first separator belongs to no request; later it follows one.
  const head =
    defined === undefined && before === ''
      ? `${definition}\n### ${oneLine(request.title)}\n`
      : `### ${oneLine(request.title)}\n${defined === undefined ? definition : ''}`;
  const written = [
    `${request.method} {{${name}}}${request.target}`,
    ...request.headers.map((header) => `${header.name}: ${header.value}`),
    ...(request.body === '' ? [] : ['', request.body]),
  ].join('\n');
  const line = `${before}${head}`.split('\n').length - 1;
  return { text: `${before}${head}${written}\n`, line };
}

function freeName(slug: string, isTaken: (name: string) => boolean): string {
  // Some REST clients do not allow hyphens in a variable's name.
  const own = slug.replaceAll(/\W+/g, '_');
  const names = ['endpoint', own, ...Array.from({ length: 100 }, (_, n) => `${own}_${n + 2}`)];
  return names.find((name) => !isTaken(name)) ?? own;
}

function oneLine(title: string): string {
  return title.replaceAll(/\s+/g, ' ').trim();
}
