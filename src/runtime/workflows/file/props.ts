/** What is probably not meant in the props of a step: secrets in clear, expressions without braces or without an end (pure). */
import { expressionsIn } from '../../../protocol/expression-text.ts';
import { isRecord } from './issues.ts';
import type { Report } from './report.ts';
import type { Path } from '../../../workflow-file/yaml-values.ts';

/** @param names of all steps, and `trigger` */
export function checkProps(
  props: Readonly<Record<string, unknown>>,
  path: Path,
  names: ReadonlySet<string>,
  report: Report,
): void {
  const look = (value: unknown, at: Path): void => {
    if (typeof value === 'string') lookAtText(value, at);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) look(item, [...at, index]);
    } else if (isRecord(value)) {
      lookAtHeader(value, at);
      for (const [key, item] of Object.entries(value)) look(item, [...at, key]);
    }
  };

  const lookAtText = (text: string, at: Path): void => {
    if (text.includes('{{')) {
      if (expressionsIn(text).some(({ closed }) => !closed)) {
        report(
          'warning',
          at,
          'This "{{" has no "}}" behind it, so that it is text and no expression.',
        );
      }
      return;
    }
    if (isSecretKey(at) || knownSecrets.test(text)) {
      if (text.trim() !== '') report('warning', at, inClear(envName(at)));
      return;
    }
    const read = readsWithoutBraces(text, names);
    if (read !== undefined) {
      const message = `This is text as it stands, and "${read}" in it is not read. Put what is to be computed into {{ … }}.`;
      report('warning', at, message);
    }
  };

  /** `{name, value}` as in `httpRequest.headers`. */
  const lookAtHeader = (record: Readonly<Record<string, unknown>>, at: Path): void => {
    const { name, value } = record;
    if (typeof name !== 'string' || typeof value !== 'string') return;
    if (!/^(?:authorization|x-api-key|api-key|x-auth-token)$/i.test(name)) return;
    if (value.trim() === '' || value.includes('{{') || knownSecrets.test(value)) return;
    report('warning', [...at, 'value'], inClear(upper(name)));
  };

  look(props, path);
}

/** `token` and `password` below `auth`, as in `httpRequest.auth`. */
function isSecretKey(path: Path): boolean {
  const [above, key] = path.slice(-2);
  return above === 'auth' && (key === 'token' || key === 'password');
}

/** Tokens that say by their beginning what they are. */
const knownSecrets =
  /(?:^|[\s"'=:])(?:Bearer [\w.~+/-]{16,}|gh[pousr]_\w{30,}|xox[abprs]-[\w-]{10,}|sk-[\w-]{20,}|sk_live_\w{16,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|glpat-[\w-]{20,})/;

function inClear(name: string): string {
  return `A secret stands here in clear, where everybody who gets the file reads it. Set it with "weir env set ${name}" and write "{{process.env.${name}}}" here.`;
}

function envName(path: Path): string {
  const words = path.filter((part) => typeof part === 'string' && /^\w+$/.test(part));
  const last = words.at(-1);
  return upper(last === 'token' || last === 'password' ? `http_${last}` : String(last ?? 'secret'));
}

function upper(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/\W+/g, '_')
    .toUpperCase();
}

/** What looks like an expression in a text that has none: `steps.<a step>.…` or `process.env.NAME`. */
function readsWithoutBraces(text: string, names: ReadonlySet<string>): string | undefined {
  for (const [read, name = ''] of text.matchAll(
    /(?<![\w$.])steps\??\.([A-Za-z_$][\w$]*)(?=\??\.|\[)/g,
  )) {
    if (names.has(name)) return read;
  }
  return /(?<![\w$.])process\.env\.[A-Za-z_]\w*/.exec(text)?.[0];
}
