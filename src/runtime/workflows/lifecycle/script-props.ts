import type { ActionStep } from '../../../protocol/workflow.ts';
import { isRecord } from '../../../protocol/record.ts';
import { stepCodeOf } from '../file/uses.ts';

/**
 * A Python step with a declaration for each of its props: the declarations of the file (`__configurableProps`), and a
 * prop that accepts anything for every other name that a step with the same code gives a value. All of them reach
 * `pd.inputs` (P25.110).
 * @param all the steps of the workflow that run code
 */
export function withDeclaredProps(step: ActionStep, all: readonly ActionStep[]): ActionStep {
  const code = stepCodeOf(step.uses);
  if (!('kind' in code) || code.kind !== 'file' || code.language !== 'python') return step;
  const given: unknown = step.props['__configurableProps'];
  const declared: readonly unknown[] = Array.isArray(given) ? given : [];
  const known = new Set(declared.map((one) => (isRecord(one) ? one['name'] : undefined)));
  const others = new Map<string, unknown>();
  for (const { uses, props, disabled } of all) {
    if (uses !== step.uses || disabled) continue;
    for (const [name, value] of Object.entries(props)) {
      if (!known.has(name) && name !== '_filter' && !name.startsWith('__')) others.set(name, value);
    }
  }
  if (others.size === 0) return step;
  const added = [...others].map(([name, value]) => ({
    name,
    optional: true,
    ...(isRecord(value) && 'authProvisionId' in value
      ? { type: 'app', app: name }
      : { type: 'any' }),
  }));
  return { ...step, props: { ...step.props, __configurableProps: [...declared, ...added] } };
}
