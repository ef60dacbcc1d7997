/** `--props`, `--prop` and `--account` together (pure). */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { UsageError } from '../arguments.ts';
import { typedValue, untyped } from './typed.ts';

export interface PropArguments {
  /** `k=v` each; they win over `file`. */
  readonly prop?: readonly string[];
  /** `PROP=apn_…` each. */
  readonly account?: readonly string[];
  /** What the file of `--props` holds. */
  readonly file?: Readonly<Record<string, unknown>>;
}

/** @param props the definition; undefined when it is not known before the runtime has the code */
export function configuredProps(
  props: readonly ConfigurableProp[] | undefined,
  given: PropArguments,
): Record<string, unknown> {
  const configured = new Map<string, unknown>(Object.entries(given.file ?? {}));
  for (const [name, texts] of parseAssignments('--prop', given.prop ?? [])) {
    const prop = propNamed(props, name);
    const value = prop === undefined ? untyped(texts.at(-1) ?? '') : typedValue(prop, texts);
    configured.set(name, value);
  }
  for (const [name, ids] of parseAssignments('--account', given.account ?? [])) {
    const prop = propNamed(props, name);
    if (prop !== undefined && prop.type !== 'app') {
      throw new UsageError(
        `The prop ${name} is not an app: give its value with --prop, not --account.`,
      );
    }
    configured.set(name, { authProvisionId: ids.at(-1) });
  }
  return Object.fromEntries(configured);
}

/** Undefined when a prop of that name may yet come from `additionalProps`. */
function propNamed(
  props: readonly ConfigurableProp[] | undefined,
  name: string,
): ConfigurableProp | undefined {
  const found = props?.find((prop) => prop.name === name);
  if (found !== undefined || props === undefined) return found;
  if (props.some(({ reloadProps }) => reloadProps === true)) return undefined;
  const known = props.map((prop) => prop.name).join(', ');
  throw new UsageError(`There is no prop "${name}". The component has: ${known || 'none'}.`);
}

/** `k=v` arguments by name, in the order they were given; a name may come several times. */
function parseAssignments(option: string, assignments: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    if (at < 1) throw new UsageError(`${option} takes NAME=VALUE, not "${assignment}".`);
    const name = assignment.slice(0, at);
    values.set(name, [...(values.get(name) ?? []), assignment.slice(at + 1)]);
  }
  return values;
}
