/** Likely mistakes in the props of a step: secrets in clear, expressions without braces or without an end (pure). */
import { expressionsIn } from '../../../protocol/expression-text.ts';
import { isRecord } from '../../../protocol/record.ts';
import type { Report } from './report.ts';
import { inClear, secretsOf } from '../../components/recordings/secrets.ts';
import type { Path } from '../../../workflow-file/yaml-values.ts';

/** @param names of all steps, and `trigger` */
export function checkProps(
  props: Readonly<Record<string, unknown>>,
  path: Path,
  names: ReadonlySet<string>,
  report: Report,
): void {
  const secrets = new Set<string>();
  for (const secret of secretsOf(props, path)) {
    secrets.add(JSON.stringify(secret.path));
    report('warning', secret.path, inClear(secret.name));
  }
  const look = (value: unknown, at: Path): void => {
    if (typeof value === 'string') lookAtText(value, at);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) look(item, [...at, index]);
    } else if (isRecord(value)) {
      for (const [key, item] of Object.entries(value)) look(item, [...at, key]);
    }
  };

  const lookAtText = (text: string, at: Path): void => {
    if (text.includes('{{')) {
      if (expressionsIn(text).some(({ closed }) => !closed)) {
        report('warning', at, 'This {{ is never closed with }}.');
      }
      return;
    }
    if (secrets.has(JSON.stringify(at))) return;
    const read = readsWithoutBraces(text, names);
    if (read !== undefined) {
      const message = `This is text as it stands, and "${read}" in it is not read. Put what is to be computed into {{ … }}.`;
      report('warning', at, message);
    }
  };

  look(props, path);
}

/** A text that looks like an expression, but has no braces: `steps.<a step>.…` or `process.env.NAME`. */
function readsWithoutBraces(text: string, names: ReadonlySet<string>): string | undefined {
  for (const [read, name = ''] of text.matchAll(
    /(?<![\w$.])steps\??\.([A-Za-z_$][\w$]*)(?=\??\.|\[)/g,
  )) {
    if (names.has(name)) return read;
  }
  return /(?<![\w$.])process\.env\.[A-Za-z_]\w*/.exec(text)?.[0];
}
