import type { Invocation } from '../output/invocation.ts';
import { createInstance, type ConfiguredComponent } from '../instance/instance.ts';
import { ComponentError, isMethod, kindOf } from '../values.ts';
import { findProp } from './options.ts';

/**
 * The events of its app that an apphook prop asks for; null when it says none, and so asks for all.
 * @throws ComponentError for what is no list
 */
export async function eventNames(
  component: ConfiguredComponent,
  name: string,
  invocation: Invocation,
): Promise<readonly string[] | null> {
  const prop = await findProp(component, name, 'eventNames', invocation);
  const { eventNames: given } = prop.definition;
  const names = isMethod(given)
    ? await given.call(createInstance(component, invocation, null))
    : given;
  if (names === undefined || names === null) return null;
  if (!Array.isArray(names)) {
    throw new ComponentError(
      `The eventNames of the prop "${name}" must be a list of names, not ${kindOf(names)}.`,
    );
  }
  return (names as unknown[]).filter((one) => one !== undefined && one !== null).map(String);
}
