import * as vscode from 'vscode';
import { isJson } from './answer-text.ts';
import { httpLanguage } from './request-files.ts';
import { type HttpFile, type LineKind, parseHttpFile, requestAt } from './http-file.ts';

const tokenTypes = ['comment', 'keyword', 'string', 'property', 'variable', 'number'] as const;
type TokenType = (typeof tokenTypes)[number];
const legend = new vscode.SemanticTokensLegend([...tokenTypes]);

/** A part of a line that has a colour. */
export interface Coloured {
  readonly line: number;
  readonly from: number;
  readonly length: number;
  readonly type: TokenType;
}

/** Extensions that colour these files with a grammar, better than this does. */
const restClients = ['humao.rest-client', 'anweber.vscode-httpyac'];

/** Colours of requests, unless another extension has them, and of answers. @param answers scheme of their documents */
export function colourRequests(answers: string): vscode.Disposable {
  const provide = (
    colour: (text: string) => Coloured[],
  ): vscode.DocumentSemanticTokensProvider => ({
    provideDocumentSemanticTokens(document) {
      const builder = new vscode.SemanticTokensBuilder(legend);
      for (const { line, from, length, type } of colour(document.getText())) {
        builder.push(line, from, length, tokenTypes.indexOf(type));
      }
      return builder.build();
    },
  });
  const files = provide((text) =>
    restClients.some((id) => vscode.extensions.getExtension(id) !== undefined)
      ? []
      : coloursOfRequests(text),
  );
  return vscode.Disposable.from(
    vscode.languages.registerDocumentSemanticTokensProvider(
      { scheme: 'file', language: httpLanguage },
      files,
      legend,
    ),
    vscode.languages.registerDocumentSemanticTokensProvider(
      { scheme: answers },
      provide(coloursOfAnswer),
      legend,
    ),
    vscode.languages.setLanguageConfiguration(httpLanguage, {
      comments: { lineComment: '#' },
      brackets: [
        ['{', '}'],
        ['[', ']'],
        ['(', ')'],
      ],
    }),
  );
}

/** The parts of a `.http` file, in their order. */
export function coloursOfRequests(text: string): Coloured[] {
  const file = parseHttpFile(text);
  return text
    .split(/\r?\n/)
    .flatMap((line, n) => coloursOfLine(line, n, file.lines[n] ?? 'blank', () => hasJson(file, n)));
}

function hasJson(file: HttpFile, line: number): boolean {
  const headers = requestAt(file, line)?.headers ?? [];
  return headers.some(({ name, value }) => name.toLowerCase() === 'content-type' && isJson(value));
}

/** The same for the document of an answer. */
export function coloursOfAnswer(text: string): Coloured[] {
  const lines = text.split('\n');
  const end = lines.indexOf('');
  const head = end === -1 ? lines : lines.slice(0, end);
  const isOfJson = head.some((line) => isJson(/^content-type:\s*(.*)$/i.exec(line)?.[1] ?? ''));
  return lines.flatMap((line, n) => {
    const status = /^HTTP\/[\d.]+/.exec(line);
    if (n < head.length && status !== null) {
      const from = status[0].length + 1;
      return [
        { line: n, from: 0, length: status[0].length, type: 'keyword' as const },
        ...(line.length > from
          ? [{ line: n, from, length: line.length - from, type: 'number' as const }]
          : []),
      ];
    }
    const isHead = n < head.length;
    const kind = isHead ? (line.startsWith('#') ? 'comment' : 'header') : 'body';
    return coloursOfLine(line, n, kind, () => isOfJson);
  });
}

function coloursOfLine(
  line: string,
  n: number,
  kind: LineKind,
  isOfJson: () => boolean,
): Coloured[] {
  switch (kind) {
    case 'blank':
      return [];
    case 'separator':
    case 'comment':
      return parts(line, n, /^.+$/, ['comment']);
    case 'variable':
      return parts(line, n, /(@[^\s=]+)\s*=\s*(.*)$/, ['variable', 'string']);
    case 'request':
      return parts(line, n, /^\s*(?:([A-Za-z-]+)\s+)?(\S.*)$/, ['keyword', 'string']);
    case 'header':
      return parts(line, n, /^\s*([^\s:]+)\s*:\s*(.*)$/, ['property', 'string']);
    case 'body':
      return isOfJson() ? coloursOfJson(line, n) : [];
  }
}

/** The whole match for one type, else the groups that matched. */
function parts(line: string, n: number, pattern: RegExp, types: readonly TokenType[]): Coloured[] {
  const found = new RegExp(pattern, 'd').exec(line);
  if (found === null) return [];
  const places = types.length === 1 ? found.indices : found.indices?.slice(1);
  return (places ?? []).flatMap((place, at) => {
    const type = types[at];
    const [from, to] = place ?? [0, 0];
    return type === undefined || to <= from ? [] : [{ line: n, from, length: to - from, type }];
  });
}

function coloursOfJson(line: string, n: number): Coloured[] {
  const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;
  return [...line.matchAll(tokens)].map((found) => {
    const [all, text, colon] = found;
    const type =
      text === undefined
        ? /^[tfn]/.test(all)
          ? 'keyword'
          : 'number'
        : colon === undefined
          ? 'string'
          : 'property';
    return { line: n, from: found.index, length: (text ?? all).length, type };
  });
}
