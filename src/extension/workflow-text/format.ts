/** What the format's JSON Schema has for a place: its keys, its values, and their meaning (pure). */
import schema from '../../../schemas/workflow.schema.json';
import { isRecord } from '../../protocol/record.ts';

/** As much of JSON Schema as that of the format has. */
interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: string;
  readonly enum?: readonly string[];
  /** Read, and better not written any more. */
  readonly deprecated?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly { readonly if: Condition; readonly then: Schema }[];
}

interface Condition {
  readonly properties: Readonly<Record<string, { readonly const: unknown }>>;
}

const definitions = schema.$defs as unknown as Readonly<Record<string, Schema>>;

/** A suggestion for a place. */
export interface Suggestion {
  readonly name: string;
  /** Markdown; undefined without a description. */
  readonly description?: string | undefined;
  /** Description of a key's value: `true or false`, `a list`. Undefined for a value. */
  readonly about?: string | undefined;
  readonly isRequired?: boolean;
  /** How a value of it begins: on the same line, as a mapping or as a list. */
  readonly opens?: 'value' | 'mapping' | 'list';
}

/** The keys that the mapping at a path may have and does not have yet. */
export function keysAt(root: unknown, path: readonly (string | number)[]): Suggestion[] {
  const present = valueAt(root, path);
  const isThere = (name: string): boolean => isRecord(present) && Object.hasOwn(present, name);
  const found = new Map<string, Suggestion>();
  for (const one of schemasAt(root, path)) {
    for (const [name, own] of Object.entries(one.properties ?? {})) {
      if (isThere(name) || found.has(name) || own.deprecated === true) continue;
      found.set(name, described(one, name, present));
    }
  }
  return [...found.values()];
}

/** The values that a place may have, where there are only some. */
export function valuesAt(root: unknown, path: readonly (string | number)[]): Suggestion[] {
  const found = new Map<string, Suggestion>();
  for (const one of schemasAt(root, path)) {
    const values = [
      ...(one.const === undefined ? [] : [one.const]),
      ...(one.enum ?? []),
      ...(one.type === 'boolean' ? [true, false] : []),
    ];
    for (const value of values) {
      found.set(String(value), { name: String(value), description: one.description });
    }
  }
  return [...found.values()];
}

/** The description of the key that a path ends with. */
export function keyAt(root: unknown, path: readonly (string | number)[]): Suggestion | undefined {
  const name = path.at(-1);
  if (typeof name !== 'string') return undefined;
  for (const one of schemasAt(root, path.slice(0, -1))) {
    if (one.properties?.[name] === undefined) continue;
    return described(one, name, valueAt(root, path.slice(0, -1)));
  }
  return undefined;
}

/** A key of a mapping. @param mapping its value: what a key takes may depend on the others */
function described(of: Schema, name: string, mapping: unknown): Suggestion {
  const choices = inside(of, name, mapping).flatMap(alternatives);
  const description =
    of.properties?.[name]?.description ?? choices.find((one) => one.description)?.description;
  const isList = choices.some(({ type }) => type === 'array');
  const isMapping = choices.some(({ type }) => type === 'object');
  const about = [...new Set(choices.map(aboutOf).filter((text) => text !== ''))].join(', or ');
  return {
    name,
    description,
    about: about === '' ? undefined : about,
    isRequired: of.required?.includes(name) === true,
    opens: isList ? 'list' : isMapping ? 'mapping' : 'value',
  };
}

function aboutOf({ type, enum: values, const: only, minimum, maximum }: Schema): string {
  if (only !== undefined) return only;
  if (values !== undefined) return values.join(' | ');
  if (type === 'integer' || type === 'number') {
    const kind = type === 'integer' ? 'a whole number' : 'a number';
    return minimum === undefined || maximum === undefined
      ? kind
      : `${kind} from ${minimum} to ${maximum}`;
  }
  const words = [type].flat().map((one) => typeWords.get(one ?? ''));
  return words.find((word) => word !== undefined) ?? '';
}

const typeWords: ReadonlyMap<string, string> = new Map([
  ['boolean', 'true or false'],
  ['string', 'text'],
  ['array', 'a list'],
  ['object', 'a mapping'],
]);

/** Every schema that may describe what is at a path. */
function schemasAt(root: unknown, path: readonly (string | number)[]): Schema[] {
  let found = fitting(alternatives({ $ref: '#/$defs/workflow' }), root);
  let value = root;
  for (const part of path) {
    const above = value;
    value = valueAt(value, [part]);
    const next = found.flatMap((one) => inside(one, part, above));
    found = fitting(next.flatMap(alternatives), value);
  }
  return found;
}

function inside(of: Schema, part: string | number, value: unknown): Schema[] {
  if (typeof part === 'number') return of.items === undefined ? [] : [of.items];
  const conditional = (of.allOf ?? [])
    .filter(({ if: condition }) => holds(condition, value))
    .flatMap(({ then }) => inside(then, part, value));
  if (conditional.length > 0) return conditional;
  const own = of.properties?.[part];
  return own === undefined ? [] : [own];
}

function holds({ properties }: Condition, value: unknown): boolean {
  return Object.entries(properties).every(
    ([name, { const: wanted }]) => isRecord(value) && value[name] === wanted,
  );
}

/** Without references and without choices between schemas. */
function alternatives(of: Schema): Schema[] {
  if (of.$ref !== undefined) {
    const referred = definitions[of.$ref.replace('#/$defs/', '')];
    return referred === undefined ? [] : alternatives(referred);
  }
  // Beside properties, it says which of them are required together.
  if (of.anyOf === undefined || of.properties !== undefined) return [of];
  const { description } = of;
  return of.anyOf.flatMap(alternatives).map((one) => ({
    ...one,
    ...(one.description === undefined && description !== undefined && { description }),
  }));
}

/** The schemas that know most of the present keys: a step with `control` is a block. */
function fitting(choices: readonly Schema[], value: unknown): Schema[] {
  if (!isRecord(value) || choices.length < 2) return [...choices];
  const keys = Object.keys(value);
  const known = (one: Schema): number =>
    keys.filter((key) => one.properties !== undefined && Object.hasOwn(one.properties, key)).length;
  const most = Math.max(...choices.map(known));
  return choices.filter((one) => known(one) === most);
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}
