/** Workflows, as a person reads them. */
import type { DeployWarning, Workflow } from '../../protocol/catalogue.ts';
import type { Column } from '../render/table.ts';
import { fields, when } from './fields.ts';

export const workflowColumns: readonly Column<Workflow>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name_slug }) => name_slug, shrinks: true },
  { title: 'STATE', of: ({ active }) => (active ? 'active' : 'inactive') },
  { title: 'TRIGGER', of: ({ triggers }) => triggers.map(triggerText).join(', ') },
];

export function workflowText(workflow: Workflow): string {
  return fields({
    id: workflow.id,
    name: workflow.name,
    slug: workflow.name_slug,
    active: workflow.active,
    ...triggerFields(workflow.triggers),
    steps: workflow.steps.map(({ path }) => path).join(', '),
    folder: workflow.path,
    deployment: workflow.deployment_id,
    created: when(workflow.created_at * 1000),
    updated: when(workflow.updated_at * 1000),
  });
}

/** The description of a workflow that `deploy` and `update` print. */
export function deployedText({ id, name, active, triggers }: Workflow): string {
  return fields({ id, name, active: active ? null : false, ...triggerFields(triggers) });
}

/** A remark at its place in a file. */
export function warningText({ severity, message, file, line, column }: DeployWarning): string {
  return `${file}:${line}:${column + 1}: ${severity}: ${message}`;
}

type Trigger = Workflow['triggers'][number];

function triggerFields(triggers: readonly Trigger[]): Record<string, string> {
  const count = new Map<string, number>();
  return Object.fromEntries(
    triggers.map((trigger) => {
      const type = trigger.type === 'unknown' ? 'trigger' : trigger.type;
      const name = trigger.endpoint_url === undefined ? type : 'endpoint';
      const n = (count.get(name) ?? 0) + 1;
      count.set(name, n);
      return [n === 1 ? name : `${name} ${n}`, triggerText(trigger)];
    }),
  );
}

function triggerText({
  id,
  type,
  endpoint_url,
  cron,
  interval_seconds,
  next_tick_at,
}: Trigger): string {
  if (endpoint_url !== undefined) return endpoint_url;
  if (type !== 'timer') return type === 'unknown' ? `${id} needs setup` : (id ?? type);
  const often = cron ?? `every ${interval_seconds} s`;
  const next = next_tick_at ?? null;
  return next === null ? often : `${often}, next ${when(next)}`;
}
