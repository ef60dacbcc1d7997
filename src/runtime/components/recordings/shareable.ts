/** The parts of an execution that may be in a file for others (pure). */
import type { Mask } from '../../../protocol/mask.ts';
import { isRecord } from '../../../protocol/record.ts';
import { isSecretParameter, removed } from '../../../protocol/secret-shapes.ts';
import { isSecretHeader, secretsOf } from './secrets.ts';
import { type Path } from '../../../workflow-file/yaml-values.ts';

export interface Shareable {
  readonly value: unknown;
  /** Where something was removed, such as `event.headers.authorization`. */
  readonly hidden: readonly string[];
}

/**
 * The event of an execution without what signs its sender in, without tokens, and without values of environment
 * variables.
 */
export function shareableEvent(event: unknown, mask: Mask): Shareable {
  if (!isRecord(event)) return shareable(event, 'event', mask);
  const hidden: string[] = [];
  const without = (part: string, isSecret: (name: string) => boolean): unknown => {
    const given = event[part];
    if (!isRecord(given)) return given;
    const secret = Object.keys(given).filter(isSecret);
    hidden.push(...secret.map((name) => `event.${part}.${name}`));
    return { ...given, ...Object.fromEntries(secret.map((name) => [name, removed])) };
  };
  const [headers, query] = [
    without('headers', isSecretHeader),
    without('query', isSecretParameter),
  ];
  const rest = shareable(
    {
      ...event,
      ...(headers !== undefined && { headers }),
      ...(query !== undefined && { query }),
      ...(typeof event['url'] === 'string' && { url: urlWithoutSecrets(event['url']) }),
    },
    'event',
    mask,
  );
  return { value: rest.value, hidden: [...hidden, ...rest.hidden] };
}

/**
 * @param at how paths in it begin
 * @param instead replaces a token
 */
export function shareable(
  value: unknown,
  at: string,
  mask: Mask,
  instead: unknown = removed,
): Shareable {
  const hidden: string[] = [];
  const tokens = new Set([...secretsOf(value, [])].map(({ path }) => JSON.stringify(path)));
  const clean = (given: unknown, path: Path): unknown => {
    if (tokens.has(JSON.stringify(path))) {
      hidden.push(pathText(at, path));
      return instead;
    }
    if (Array.isArray(given)) return given.map((item, index) => clean(item, [...path, index]));
    if (isRecord(given)) {
      const entries = Object.entries(given);
      // Names of members can be values of variables, too.
      return Object.fromEntries(
        entries.map(([name, item]) => [mask.text(name), clean(item, [...path, name])]),
      );
    }
    const shown = mask.value(given);
    if (shown !== given) hidden.push(pathText(at, path));
    return shown;
  };
  return { value: clean(value, []), hidden };
}

function pathText(at: string, path: Path): string {
  return [at, ...path].join('.');
}

/** Its parameters that sign somebody in say that they were taken out. */
export function urlWithoutSecrets(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const names = [...new Set(url.searchParams.keys())].filter(isSecretParameter);
  if (names.length === 0 && url.password === '') return text;
  if (url.password !== '') url.password = removed;
  for (const name of names) url.searchParams.set(name, removed);
  return url.href;
}
