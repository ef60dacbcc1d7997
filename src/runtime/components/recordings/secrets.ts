/** Secrets that stand in the props of steps in clear (pure). */
import { stepsIn } from '../../../workflow-file/steps-in.ts';
import { type Path } from '../../../workflow-file/yaml-values.ts';
import { isRecord } from '../../../protocol/record.ts';

export interface Secret {
  readonly path: Path;
  /** What an environment variable for it would be called. */
  readonly name: string;
}

/** Of every step of a file. @param root its values */
export function* secretsIn(root: unknown): Generator<Secret> {
  for (const { step, path } of stepsIn(root)) {
    if (isRecord(step['props'])) yield* secretsOf(step['props'], [...path, 'props']);
  }
}

/** Those below a value: tokens that say by their beginning what they are, and what stands where secrets do. */
export function* secretsOf(value: unknown, at: Path): Generator<Secret> {
  if (typeof value === 'string') {
    if (value.includes('{{') || value.trim() === '') return;
    if (isSecretKey(at) || knownSecrets.test(value)) yield { path: at, name: envName(at) };
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* secretsOf(item, [...at, index]);
    return;
  }
  if (!isRecord(value)) return;
  const header = secretHeader(value);
  if (header !== undefined) yield { path: [...at, 'value'], name: upper(header) };
  for (const [key, item] of Object.entries(value)) yield* secretsOf(item, [...at, key]);
}

/** `{name, value}` as in `httpRequest.headers`, of a value that does not say itself what it is. */
function secretHeader({ name, value }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof name !== 'string' || typeof value !== 'string') return undefined;
  if (!isSecretHeader(name)) return undefined;
  const isOther = value.trim() === '' || value.includes('{{') || knownSecrets.test(value);
  return isOther ? undefined : name;
}

/** Of a request: what says who sends it. */
export function isSecretHeader(name: string): boolean {
  return /^(?:(?:proxy-)?authorization|cookie|x-api-key|api-key|x-auth-token)$/i.test(name);
}

/** `token` and `password` below `auth`, as in `httpRequest.auth`. */
function isSecretKey(path: Path): boolean {
  const [above, key] = path.slice(-2);
  return above === 'auth' && (key === 'token' || key === 'password');
}

const knownSecrets =
  /(?:^|[\s"'=:])(?:Bearer [\w.~+/-]{16,}|gh[pousr]_\w{30,}|xox[abprs]-[\w-]{10,}|sk-[\w-]{20,}|sk_live_\w{16,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|glpat-[\w-]{20,})/;

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

/** What is said of one. @param name as {@link Secret} has it */
export function inClear(name: string): string {
  return `A secret stands here in clear, where everybody who gets the file reads it. Set it with "weir env set ${name}" and write "{{process.env.${name}}}" here.`;
}
