import type { ConfigurableProp } from '../../../protocol/definition.ts';
import { own } from '../../../protocol/own.ts';
import { toData } from '../json.ts';
import {
  assign,
  ComponentError,
  isDictionary,
  isMethod,
  kindOf,
  type Dictionary,
} from '../values.ts';

/** A prop with its `propDefinition` resolved, functions included. */
export interface ResolvedProp {
  readonly name: string;
  readonly type: string;
  readonly definition: Dictionary;
  /** The app whose definition `options()` comes from: its instance is `this`. Null for one written in place. */
  readonly optionsApp: Dictionary | null;
  /** The reference as written, for `additionalProps`, which may hand the definition back. */
  readonly propDefinition?: unknown;
  /** Third elements of the `propDefinition`s that were followed, innermost first. */
  readonly inputValues: readonly unknown[];
}

/** A chain of `propDefinition`s that is longer leads back to itself. */
const deepestChain = 32;

/**
 * The props of a `props` object in declaration order.
 * @throws ComponentError for what is not a definition, or refers to one that does not exist
 */
export function resolveProps(authored: unknown): Map<string, ResolvedProp> {
  const props = new Map<string, ResolvedProp>();
  if (authored === undefined || authored === null) return props;
  if (!isDictionary(authored)) {
    throw new ComponentError(`"props" must be an object, not ${kindOf(authored)}.`);
  }
  for (const name of Object.keys(authored)) {
    const definition = authored[name];
    if (definition === undefined || definition === null) continue;
    props.set(name, resolveProp(name, definition));
  }
  return props;
}

/** Resolves one definition: a type name, an app object, or an object that may build on a `propDefinition`. */
export function resolveProp(name: string, authored: unknown): ResolvedProp {
  const resolved = resolve(name, authored, 0);
  const type = resolved.definition['type'];
  if (type !== undefined && typeof type !== 'string') {
    throw new ComponentError(`The type of the prop "${name}" must be text, not ${kindOf(type)}.`);
  }
  // Without a type, as when a definition was spread that its app no longer has, it is a plain
  // field (P3.33).
  return { name, type: type ?? 'string', ...resolved };
}

/**
 * The props that are in force: the declared ones, changed and added to by the set that
 * `additionalProps` made (P6.2). Functions of declared props stay.
 */
export function effectiveProps(
  declared: ReadonlyMap<string, ResolvedProp>,
  propSet: readonly ConfigurableProp[] | undefined,
): ReadonlyMap<string, ResolvedProp> {
  if (propSet === undefined) return declared;
  const props = new Map<string, ResolvedProp>();
  for (const data of propSet) {
    const base = declared.get(data.name);
    const prop = resolveProp(data.name, data);
    const merged = { ...base?.definition, ...prop.definition };
    props.set(
      data.name,
      base === undefined ? prop : { ...base, type: prop.type, definition: merged },
    );
  }
  return props;
}

/** Keys of an app object, and of a prop that builds on one, that are code. */
const code = new Set(['propDefinition', 'propDefinitions', 'methods', 'name', 'type']);

/** A prop as the platform's API lists it: functions stripped, an `options()` as `remoteOptions`. */
export function propData(prop: ResolvedProp): ConfigurableProp {
  const data: Record<string, unknown> = { name: prop.name, type: prop.type };
  for (const [key, value] of Object.entries(prop.definition)) {
    if (code.has(key)) continue;
    if (key === 'options' && isMethod(value)) {
      data['remoteOptions'] = true;
      continue;
    }
    const plain = toData(value);
    if (plain !== undefined) assign(data, key, plain);
  }
  return data as unknown as ConfigurableProp;
}

type Resolved = Omit<ResolvedProp, 'name' | 'type'>;

function resolve(name: string, authored: unknown, depth: number): Resolved {
  if (typeof authored === 'string') {
    return { definition: { type: authored }, optionsApp: null, inputValues: [] };
  }
  if (!isDictionary(authored)) {
    throw new ComponentError(
      `The prop "${name}" must be the name of a type or an object, not ${kindOf(authored)}.`,
    );
  }
  const reference = own(authored, 'propDefinition');
  if (reference === undefined) return { definition: authored, optionsApp: null, inputValues: [] };
  if (depth >= deepestChain) {
    throw new ComponentError(`The propDefinition of the prop "${name}" leads back to itself.`);
  }
  const { app, base, inputValues } = follow(name, reference);
  const inherited = resolve(name, base, depth + 1);
  const overrides = definedEntries(authored);
  const { options } = overrides;
  const replacesOptions = isMethod(options) && options !== inherited.definition['options'];
  return {
    definition: { ...inherited.definition, ...overrides },
    optionsApp: replacesOptions ? null : (inherited.optionsApp ?? app),
    propDefinition: reference,
    inputValues: [...inherited.inputValues, inputValues],
  };
}

function follow(
  name: string,
  reference: unknown,
): { app: Dictionary; base: unknown; inputValues: unknown } {
  const [given, key, inputValues] = Array.isArray(reference) ? (reference as unknown[]) : [];
  const app = isDictionary(given) && isDictionary(given['default']) ? given['default'] : given;
  if (!isDictionary(app) || typeof key !== 'string') {
    throw new ComponentError(
      `The propDefinition of the prop "${name}" must be [app, "definition name"]: its app is ${kindOf(app)}, its name ${kindOf(key)}. Check the import of the app file.`,
    );
  }
  const definitions = app['propDefinitions'];
  const base = isDictionary(definitions) ? own(definitions, key) : undefined;
  if (base === undefined || base === null) {
    const known = isDictionary(definitions) ? Object.keys(definitions).join(', ') : '';
    throw new ComponentError(
      `The prop "${name}" uses the propDefinition "${key}", which the app "${String(app['app'])}" does not have. It has: ${known || 'none'}.`,
    );
  }
  return { app, base, inputValues };
}

function definedEntries(authored: Dictionary): Dictionary {
  const entries = Object.entries(authored).filter(
    ([key, value]) => key !== 'propDefinition' && value !== undefined,
  );
  return Object.fromEntries(entries);
}
