/**
 * The text format that REST clients share (`.http`): requests between lines of `###`, each a request line,
 * headers, a blank line and a body; `@name = value` for variables, `#` and `//` for comments.
 */

/** The kind of a line. */
export type LineKind =
  | 'blank'
  | 'separator'
  | 'comment'
  | 'variable'
  | 'request'
  | 'header'
  | 'body';

export interface Variable {
  readonly name: string;
  /** As it is written: it may name other variables. */
  readonly value: string;
  /** 0-based. */
  readonly line: number;
}

/** A line of a body: its text, or the file that replaces it. */
export type BodyLine =
  | { readonly text: string }
  /** `< ./file`; with `<@ ./file` variables in it are replaced. */
  | { readonly file: string; readonly replaces: boolean };

/** A request as it is written, before any variable is replaced. */
export interface WrittenRequest {
  /** Name from its separator, or from a `# @name` comment; undefined without either. */
  readonly name: string | undefined;
  /** In capitals; GET when none is written. */
  readonly method: string;
  /** With the lines of the query that follow the request line. */
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: readonly BodyLine[];
  /** Number of the request line, 0-based. */
  readonly line: number;
  /** First line of its block, and the one after its last. */
  readonly from: number;
  readonly to: number;
  /** By a `# @timeout` comment. */
  readonly timeoutMs: number | undefined;
  /** Why it cannot be sent, one sentence that names the line. */
  readonly problem: string | undefined;
}

export interface HttpFile {
  readonly variables: readonly Variable[];
  readonly requests: readonly WrittenRequest[];
  /** The kind of each line of the text. */
  readonly lines: readonly LineKind[];
}

const separator = /^#{3,}\s*(.*?)\s*$/;
const comment = /^\s*(?:#|\/\/)\s*(.*?)\s*$/;
const variable = /^\s*@([^\s=]+)\s*=\s*(.*?)\s*$/;
const requestLine = /^\s*(?:([A-Za-z-]+)\s+)?(\S.*?)(?:\s+HTTP\/[\d.]+)?\s*$/;
const headerLine = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/;
const queryLine = /^\s*([?&]\S.*?)\s*$/;
const fileLine = /^<(@?)(\w*)\s+(\S.*?)\s*$/;
/** Syntax that only the JetBrains client knows: scripts, and files for answers. */
const scriptLine = /^[<>]\s*\{%|^>\s*\S+\.js$|^>>!?\s*\S+$/;
/** Notes of the JetBrains client about earlier answers. */
const notedAnswer = /^<>\s/;

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** Parses a text; every text has a result. */
export function parseHttpFile(text: string): HttpFile {
  const variables: Variable[] = [];
  const requests: WrittenRequest[] = [];
  const kinds: LineKind[] = [];
  let block = new Block(0, undefined);
  const end = (line: number): void => {
    const request = block.end(line);
    if (request !== undefined) requests.push(request);
  };
  const lines = text.split(/\r?\n/);
  for (const [n, line] of lines.entries()) {
    const [, name] = separator.exec(line) ?? [];
    if (name !== undefined) {
      end(n);
      block = new Block(n, name === '' ? undefined : name);
      kinds.push('separator');
      continue;
    }
    const kind = block.add(line, n);
    if (kind === 'variable') {
      const [, variableName = '', value = ''] = variable.exec(line) ?? [];
      variables.push({ name: variableName, value, line: n });
    }
    kinds.push(kind);
  }
  end(lines.length);
  return { variables, requests, lines: kinds };
}

/** The text between two separators, line by line. */
class Block {
  readonly #from: number;
  #name: string | undefined;
  #timeoutMs: number | undefined;
  #problem: string | undefined;
  #request: { method: string; url: string; line: number } | undefined;
  readonly #headers: { name: string; value: string }[] = [];
  #body: BodyLine[] | undefined;

  constructor(from: number, name: string | undefined) {
    this.#from = from;
    this.#name = name;
  }

  add(line: string, n: number): LineKind {
    if (this.#body !== undefined) return this.#addToBody(this.#body, line, n);
    if (line.trim() === '') {
      if (this.#request !== undefined) this.#body = [];
      return 'blank';
    }
    const [, said] = comment.exec(line) ?? [];
    if (said !== undefined) {
      this.#direct(said);
      return 'comment';
    }
    if (variable.test(line)) return 'variable';
    if (scriptLine.test(line)) {
      this.#script(n);
      return 'body';
    }
    if (this.#request === undefined) return this.#begin(line, n);
    const [, query] = queryLine.exec(line) ?? [];
    // JetBrains breaks long URLs at any place, and indents what follows.
    const isIndented = this.#headers.length === 0 && /^\s/.test(line);
    if (query !== undefined || isIndented) {
      this.#request.url += query ?? line.trim();
      return 'request';
    }
    const [, name, value = ''] = headerLine.exec(line) ?? [];
    if (name === undefined) {
      this.#problem ??= `Line ${n + 1} is not a header: write "name: value", or a blank line before the body.`;
    } else {
      this.#headers.push({ name, value });
    }
    return 'header';
  }

  end(to: number): WrittenRequest | undefined {
    if (this.#request === undefined) return undefined;
    const body = this.#body ?? [];
    while (isBlank(body.at(-1))) body.pop();
    while (isBlank(body[0])) body.shift();
    return {
      ...this.#request,
      name: this.#name,
      headers: this.#headers,
      body,
      from: this.#from,
      to,
      timeoutMs: this.#timeoutMs,
      problem: this.#problem,
    };
  }

  #begin(line: string, n: number): LineKind {
    const [, method = 'GET', url = ''] = requestLine.exec(line) ?? [];
    this.#request = { method: method.toUpperCase(), url, line: n };
    return 'request';
  }

  #addToBody(body: BodyLine[], line: string, n: number): LineKind {
    if (notedAnswer.test(line)) return 'comment';
    if (scriptLine.test(line)) this.#script(n);
    const [, at, encoding = '', file] = fileLine.exec(line) ?? [];
    if (file === undefined || (at === '' && encoding !== '')) {
      body.push({ text: line });
      return line.trim() === '' ? 'blank' : 'body';
    }
    if (!/^(?:utf-?8)?$/i.test(encoding)) {
      this.#problem ??= `Line ${n + 1} reads a file as ${encoding}; Weir reads text in UTF-8 only: write "<@ ${file}".`;
    }
    body.push({ file, replaces: at === '@' });
    return 'body';
  }

  #direct(said: string): void {
    const [, name] = /^@name\s+(\S.*)$/.exec(said) ?? [];
    this.#name ??= name;
    const [, count, unit = 's'] = /^@timeout\s+(\d+)\s*(ms|s|m)?$/.exec(said) ?? [];
    if (count !== undefined) this.#timeoutMs = Number(count) * (units[unit] ?? 1000);
  }

  #script(n: number): void {
    this.#problem ??= `Line ${n + 1} is for a REST client that runs scripts or writes files, which Weir does not: take it out, or send the request with that client.`;
  }
}

function isBlank(line: BodyLine | undefined): boolean {
  return line !== undefined && 'text' in line && line.text.trim() === '';
}

/** The request of the block that a line is in. @param line 0-based */
export function requestAt({ requests }: HttpFile, line: number): WrittenRequest | undefined {
  return requests.find(({ from, to }) => line >= from && line < to);
}

/** The name of a request in a sentence or a list. */
export function titleOfRequest({ name, method, url }: WrittenRequest): string {
  return name ?? `${method} ${url}`;
}
