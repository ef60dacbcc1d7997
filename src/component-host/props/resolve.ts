import { ComponentError, isDictionary, isMethod, kindOf, type Dictionary } from '../authored.ts';
import { own } from '../../protocol/own.ts';

/** One prop with its `propDefinition` resolved, functions and all. */
export interface Prop {
  readonly name: string;
  readonly type: string;
  readonly definition: Dictionary;
  /** The app whose definition `options()` comes from: its instance is `this`. Null for one written in place. */
  readonly optionsApp: Dictionary | null;
  /** The reference as written, for `additionalProps`, which may hand the definition back. */
  readonly propDefinition?: unknown;
  /** Third elements of the `propDefinition`s passed on the way, innermost first. */
  readonly inputValues: readonly unknown[];
}

/** Longer chains are loops. */
const deepestChain = 32;

/**
 * The props of a `props` object in declaration order.
 * @throws ComponentError for what is no definition, or names one that does not exist.
 */
export function resolveProps(authored: unknown): Map<string, Prop> {
  const props = new Map<string, Prop>();
  if (authored === undefined || authored === null) return props;
  if (!isDictionary(authored)) {
    throw new ComponentError(`"props" must be an object, not ${kindOf(authored)}.`);
  }
  for (const name of Object.keys(authored)) {
    const definition = authored[name];
    if (definition !== undefined && definition !== null)
      props.set(name, resolveProp(name, definition));
  }
  return props;
}

/** One definition: a type name, an app object, or an object that may build on a `propDefinition`. */
export function resolveProp(name: string, authored: unknown): Prop {
  const resolved = resolve(name, authored, 0);
  const type = resolved.definition['type'];
  if (type !== undefined && typeof type !== 'string') {
    throw new ComponentError(`The type of the prop "${name}" must be text, not ${kindOf(type)}.`);
  }
  // Without a type (an app's definition that went away, spread) it is a plain field (P3.33).
  return { name, type: type ?? 'string', ...resolved };
}

type Resolved = Omit<Prop, 'name' | 'type'>;

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
