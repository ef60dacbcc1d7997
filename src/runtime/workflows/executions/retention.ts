/** Which executions leave nothing but that they ran (pure; P25.5). */
import type { Store } from '../../store/store.ts';
import type { Execution } from './execution.ts';

/** By their trigger, or by the settings of what they run, or would run. */
export function keepsNothing(
  { skipsStorage, deployment, emitter, test }: Execution,
  { workflows }: Pick<Store, 'workflows'>,
): boolean {
  // It is there to be looked at.
  if (test !== undefined) return false;
  if (skipsStorage) return true;
  const id = deployment === undefined ? workflows.get(emitter.id)?.deploymentId : undefined;
  const used = deployment ?? (id === undefined ? undefined : workflows.deployment(id));
  return used?.definition.settings.dataRetention === false;
}
