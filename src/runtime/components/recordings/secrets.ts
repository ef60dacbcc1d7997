/** Plain-text secrets in the props of steps (pure). */
import { stepsIn } from '../../../workflow-file/steps-in.ts';
import { type Path } from '../../../workflow-file/yaml-values.ts';
import { isSecretName, isSecretUrl, removed, secretIn } from '../../../protocol/secret-shapes.ts';
import { isRecord } from '../../../protocol/record.ts';

export interface Secret {
  readonly path: Path;
  /** Name of an environment variable for it. */
  readonly name: string;
}

/** The secrets in every step of a file. @param root its values */
export function* secretsIn(root: unknown): Generator<Secret> {
  for (const { step, path } of stepsIn(root)) {
    if (isRecord(step['props'])) yield* secretsOf(step['props'], [...path, 'props']);
  }
}

/** The secrets below a value: tokens that are recognized by their prefix, and values at places that hold secrets. */
export function* secretsOf(value: unknown, at: Path): Generator<Secret> {
  if (typeof value === 'string') {
    if (isSecretText(value, at)) yield { path: at, name: envName(at) };
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* secretsOf(item, [...at, index]);
    return;
  }
  if (!isRecord(value)) return;
  const named = secretPair(value);
  if (named !== undefined) yield { path: [...at, 'value'], name: upper(named) };
  for (const [key, item] of Object.entries(value)) {
    if (named === undefined || key !== 'value') yield* secretsOf(item, [...at, key]);
  }
}

/** The name of a secret `{name, value}`, as in `httpRequest.headers`: the value need not say itself what it is. */
function secretPair({ name, value }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof name !== 'string' || typeof value !== 'string') return undefined;
  if (value.trim() === '' || value.includes('{{') || value === removed) return undefined;
  return isSecretHeader(name) || isSecretText(value, [name]) ? name : undefined;
}

/** Whether a request's header identifies its sender. */
export function isSecretHeader(name: string): boolean {
  return /^(?:(?:proxy-)?authorization|cookie|x-api-key|api-key|x-auth-token)$/i.test(name);
}

function isSecretText(text: string, path: Path): boolean {
  // An expression reads it from elsewhere.
  if (text.trim() === '' || text.includes('{{') || text === removed) return false;
  const key = path.findLast((part) => typeof part === 'string') ?? '';
  const isNamed = isSecretName(key) && !/\s/.test(text.trim());
  return isNamed || knownSecrets.test(text) || secretIn(text) !== undefined || isSecretUrl(text);
}

const knownSecrets =
  /(?:^|[\s"'=:])(?:Bearer [\w.~+/-]{16,}|gh[pousr]_\w{30,}|xox[abprs]-[\w-]{10,}|sk-[\w-]{20,}|sk_live_\w{16,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|glpat-[\w-]{20,})/;

function envName(path: Path): string {
  const words = path.filter((part) => typeof part === 'string' && /^[\w-]+$/.test(part));
  const last = words.at(-1);
  const isOfRequest = words.at(-2) === 'auth' && (last === 'token' || last === 'password');
  return upper(isOfRequest ? `http_${last}` : String(last ?? 'secret'));
}

function upper(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/\W+/g, '_')
    .toUpperCase();
}

/** The warning about a secret. @param name as {@link Secret} has it */
export function inClear(name: string): string {
  return `A secret stands here in clear, where everybody who gets the file reads it. Set it with "weir env set ${name}" and write "{{process.env.${name}}}" here.`;
}
