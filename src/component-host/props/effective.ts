import type { ConfigurableProp } from '../../protocol/definition.ts';
import { resolveProp, type Prop } from './resolve.ts';

/**
 * The props that are in force: the declared ones, changed and added to by the set that
 * `additionalProps` made (P6.2). Functions of declared props stay.
 */
export function effectiveProps(
  declared: ReadonlyMap<string, Prop>,
  propSet: readonly ConfigurableProp[] | undefined,
): ReadonlyMap<string, Prop> {
  if (propSet === undefined) return declared;
  const props = new Map<string, Prop>();
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
