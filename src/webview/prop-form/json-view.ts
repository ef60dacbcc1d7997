/** The values of a form as one JSON document, and back (pure). */
import { type ConfigurableProp, isAsked } from '../../protocol/definition.ts';
import { isRecord } from '../../protocol/record.ts';
import type { Values } from './messages.ts';
import { valueOf } from './values.ts';

/** Everything the user can set, in the order of the form. */
export function toJson(props: readonly ConfigurableProp[], values: Values): string {
  const entries = props
    .filter(isAsked)
    .map((prop) => [prop.name, valueOf(prop, values)] as const)
    .filter(([, value]) => value !== undefined);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

export type Read =
  | {
      readonly ok: true;
      readonly values: Values;
      /** Secrets that were typed as text, to be sent to the host. */
      readonly secrets: Readonly<Record<string, string>>;
    }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a document back. A prop that is missing in it becomes null, so that its default does not
 * return.
 */
export function fromJson(text: string, props: readonly ConfigurableProp[], before: Values): Read {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return invalid(`This is not JSON. ${error instanceof Error ? error.message : ''}`.trim());
  }
  if (!isRecord(document)) return invalid('Enter one object, {"name": value}.');
  const asked = props.filter(isAsked);
  const unknown = Object.keys(document).filter((name) => !asked.some((prop) => prop.name === name));
  if (unknown.length > 0) {
    return invalid(
      `There is no prop ${unknown.join(', ')}. The props are: ${asked.map((p) => p.name).join(', ')}.`,
    );
  }
  const values: Record<string, unknown> = { ...before };
  const secrets: Record<string, string> = {};
  for (const prop of asked) {
    const { name } = prop;
    if (!Object.hasOwn(document, name)) {
      if (valueOf(prop, before) !== undefined) values[name] = null;
    } else if (prop.secret === true && typeof document[name] === 'string') {
      // A secret typed as text: it becomes a value when it is sent to the host, not while it is typed.
      if (document[name] !== '') secrets[name] = document[name];
    } else values[name] = document[name];
  }
  return { ok: true, values, secrets };
}

function invalid(problem: string): Read {
  return { ok: false, problem };
}
