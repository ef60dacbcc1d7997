import { randomInt, randomUUID } from 'node:crypto';
import { WeirError } from '../../protocol/errors.ts';
import type { BodyLine, HttpFile, Variable, WrittenRequest } from './http-file.ts';

/** A request with every variable replaced. */
export interface PreparedRequest {
  readonly method: string;
  /** Absolute, http or https, as a URL is written. */
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: Uint8Array;
  readonly timeoutMs: number | undefined;
}

/** Where variables without a definition get their values. */
export interface Surroundings {
  readonly now: () => number;
  readonly uuid: () => string;
  /** An integer of [least, below). */
  readonly randomInt: (least: number, below: number) => number;
}

export const chance: Pick<Surroundings, 'uuid' | 'randomInt'> = { uuid: randomUUID, randomInt };

/**
 * Replaces variables and puts the body together.
 * @param readFile a file that the body names, by its path as it is written
 * @throws WeirError('bad_input') for what cannot be sent as it is written, in a sentence that names it.
 */
export async function prepareRequest(
  { variables }: Pick<HttpFile, 'variables'>,
  request: WrittenRequest,
  surroundings: Surroundings,
  readFile: (file: string) => Promise<Uint8Array>,
): Promise<PreparedRequest> {
  if (request.problem !== undefined) throw new WeirError('bad_input', request.problem);
  const replace = (text: string): string => replaceVariables(text, variables, surroundings);
  const headers = request.headers.map(({ name, value }) => ({ name, value: replace(value) }));
  const url = replace(request.url);
  if (!isHttpUrl(url)) {
    throw new WeirError(
      'bad_input',
      `Line ${request.line + 1}: "${url}" is not a URL; begin it with http:// or with {{endpoint}}.`,
    );
  }
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const body = await bodyOf(request.body, type.trim().toLowerCase(), replace, readFile);
  const { method, timeoutMs } = request;
  return { method, url: new URL(url).href, headers, body, timeoutMs };
}

function isHttpUrl(url: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url);
}

async function bodyOf(
  lines: readonly BodyLine[],
  type: string,
  replace: (text: string) => string,
  readFile: (file: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  // A form is one line, however it is broken; the parts of a multipart body need the line ends of HTTP.
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const lineEnd = isForm ? '' : type.startsWith('multipart/') ? '\r\n' : '\n';
  const parts: Uint8Array[] = [];
  for (const [n, line] of lines.entries()) {
    if (n > 0) parts.push(Buffer.from(lineEnd));
    if ('text' in line) {
      parts.push(Buffer.from(replace(isForm ? line.text.trim() : line.text)));
    } else {
      const content = await readFile(replace(line.file));
      parts.push(line.replaces ? Buffer.from(replace(Buffer.from(content).toString())) : content);
    }
  }
  return Buffer.concat(parts);
}

/** @throws WeirError('bad_input') for a variable that nobody defines, or that is defined by itself. */
export function replaceVariables(
  text: string,
  variables: readonly Variable[],
  surroundings: Surroundings,
): string {
  return replaceWith(text, variables, (name) => {
    const value = madeValue(name, surroundings);
    if (value !== undefined) return value;
    throw new WeirError('bad_input', notDefined(name, variables));
  });
}

/** Replaces what the file itself defines, and leaves the rest as it is written. */
export function replaceDefined(text: string, variables: readonly Variable[]): string {
  try {
    return replaceWith(text, variables, (name) => `{{${name}}}`);
  } catch {
    return text;
  }
}

function replaceWith(
  text: string,
  variables: readonly Variable[],
  otherwise: (name: string) => string,
): string {
  const replace = (within: string, above: readonly string[]): string =>
    within.replaceAll(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, name: string) => {
      if (above.includes(name)) {
        throw new WeirError(
          'bad_input',
          `The variable @${name} is defined by itself; give it a value.`,
        );
      }
      // As in other REST clients a later definition counts.
      const defined = variables.findLast((one) => one.name === name);
      return defined === undefined ? otherwise(name) : replace(defined.value, [...above, name]);
    });
  return replace(text, []);
}

/** A value that REST clients make again for each request. */
function madeValue(written: string, { now, uuid, randomInt }: Surroundings): string | undefined {
  const [name = '', first = '0', second = '1000'] = written.split(/\s+/);
  switch (name) {
    case '$guid':
    case '$uuid':
    case '$random.uuid':
      return uuid();
    case '$timestamp':
      return written === name ? String(Math.floor(now() / 1000)) : undefined;
    case '$isoTimestamp':
      return new Date(now()).toISOString();
    case '$randomInt': {
      const [least, below] = [Number(first), Number(second)];
      const isRange = Number.isSafeInteger(least) && Number.isSafeInteger(below) && least < below;
      return isRange ? String(randomInt(least, below)) : undefined;
    }
    default:
      return undefined;
  }
}

function notDefined(name: string, variables: readonly Variable[]): string {
  if (name.startsWith('$')) {
    return `{{${name}}} is a value that Weir cannot make; it knows $uuid, $guid, $timestamp, $isoTimestamp and $randomInt.`;
  }
  const known = variables.map((one) => one.name).join(', ');
  return `{{${name}}} is not defined in this file; add the line "@${name} = …"${known === '' ? '' : `, or use one of: ${known}`}.`;
}
