/** Fills facts about triggers that git-sync's file lacks, from an export of the same workflow (pure). */
import { withValue } from '../../../workflow-file/edit.ts';
import { yamlValues } from '../../../workflow-file/yaml-values.ts';
import { isRecord } from '../../../protocol/record.ts';
import type { ExportedWorkflow } from './exported-workflow.ts';

/**
 * Each trigger that has only an id gets `uses` and `props` of the one with that id; where the export has none with
 * it, nothing. What the file says itself stays.
 */
export function withTriggersOf(text: string, { triggers }: ExportedWorkflow): string {
  const root = yamlValues(text).root?.value;
  const own: readonly unknown[] =
    isRecord(root) && Array.isArray(root['triggers']) ? root['triggers'] : [];
  let changed = text;
  for (const [index, trigger] of own.entries()) {
    if (!isRecord(trigger)) continue;
    const known = triggers.find(({ id }) => id !== undefined && id === trigger['id']);
    for (const key of ['uses', 'props'] as const) {
      const value = known?.[key];
      if (value === undefined || trigger[key] !== undefined) continue;
      changed = withValue(changed, ['triggers', index, key], value);
    }
  }
  return changed;
}
