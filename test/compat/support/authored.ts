/** What a component says of itself when plain Node imports it: what Weir's own reading is held against. */
import { pathToFileURL } from 'node:url';

export interface Authored {
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly props: readonly AuthoredProp[];
}

export interface AuthoredProp {
  readonly name: string;
  /** As written, or `remote` for a function. */
  readonly options: readonly unknown[] | 'remote' | undefined;
  /** What an apphook listens to, where it is written as a list. */
  readonly eventNames: readonly unknown[] | undefined;
}

type Definition = Readonly<Record<string, unknown>>;

/** Undefined when Node cannot import it: it imports packages that nobody declared or installed. */
export async function authoredComponent(file: string): Promise<Authored | undefined> {
  try {
    const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      default: Definition;
    };
    return read(module.default);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function read(component: Definition): Authored {
  const props = Object.entries((component['props'] ?? {}) as Definition);
  return {
    key: String(component['key']),
    name: String(component['name']),
    version: String(component['version']),
    type: String(component['type']),
    props: props.map(([name, prop]) => {
      const { eventNames } = prop as Definition;
      return {
        name,
        options: optionsOf(prop as Definition),
        eventNames: Array.isArray(eventNames) ? eventNames : undefined,
      };
    }),
  };
}

/** Its own, else those of the definition it builds on. */
function optionsOf(prop: Definition): AuthoredProp['options'] {
  const { options, propDefinition } = prop;
  if (typeof options === 'function') return 'remote';
  // By way of JSON, as everything travels: an undefined label is no label.
  if (Array.isArray(options)) return JSON.parse(JSON.stringify(options)) as unknown[];
  if (!Array.isArray(propDefinition)) return undefined;
  const [app, name] = propDefinition as [Record<string, Record<string, Definition>>, string];
  const base = app['propDefinitions']?.[name];
  return base === undefined ? undefined : optionsOf(base);
}
