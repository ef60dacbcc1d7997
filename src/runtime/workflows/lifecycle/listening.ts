/** The sources and workflows that a workflow's triggers listen to. */
import { WeirError } from '../../../protocol/errors.ts';
import type { TriggerDefinition } from '../../../protocol/workflow.ts';
import type { Store } from '../../store/store.ts';

type Emitters = Pick<Store, 'sources' | 'workflows'>;

/**
 * A file of the platform has the id of a source or workflow of that side, which mostly is not here. Such a trigger
 * never fires until it is set up, and keeps nothing else from running.
 */
export function knownTriggers(
  options: { readonly store: Emitters; readonly warn: (message: string) => void },
  file: string,
  triggers: readonly TriggerDefinition[],
): TriggerDefinition[] {
  return triggers.map((trigger) => {
    if (trigger.type !== 'source' && trigger.type !== 'workflow') return trigger;
    const { id, emitterId, type } = trigger;
    if (id !== emitterId || findEmitter(options.store, emitterId) !== undefined) return trigger;
    options.warn(
      `${file}: the trigger ${id} is a ${type} that is not deployed here, and never fires: give it "props" with "emitter": the id or name of a source that is, or the id of a workflow (p_…).`,
    );
    return { type: 'unknown', id };
  });
}

/** @throws WeirError `bad_input` for an emitter that is not here */
export function listensTo(
  emitters: Emitters,
  file: string,
  triggers: readonly TriggerDefinition[],
): { readonly emitterId: string; readonly channel: string }[] {
  return triggers.flatMap((trigger) => {
    if (trigger.type !== 'source' && trigger.type !== 'workflow') return [];
    const { emitterId, eventName = '' } = trigger;
    const found = findEmitter(emitters, emitterId);
    if (found === undefined) throw notFound(emitters, file, trigger);
    return [{ emitterId: found.id, channel: eventName }];
  });
}

function notFound(
  emitters: Emitters,
  file: string,
  { emitterId, type }: Extract<TriggerDefinition, { emitterId: string }>,
): WeirError {
  const ids = named(emitters, emitterId).map(({ id }) => id);
  const message =
    ids.length > 1
      ? `several are called ${emitterId}: name the one that is meant by its id (${ids.join(', ')}).`
      : `the trigger ${emitterId} is not here: deploy that ${type} first, or name one that is deployed.`;
  return new WeirError('bad_input', `${file}: ${message}`);
}

/** By id, by slug, or by the name that only one has. */
export function findEmitter(
  emitters: Emitters,
  wanted: string,
): { readonly id: string } | undefined {
  const found = emitters.sources.find(wanted) ?? emitters.workflows.find(wanted);
  if (found !== undefined) return found;
  const [only, ...others] = named(emitters, wanted);
  return others.length === 0 ? only : undefined;
}

function named({ sources, workflows }: Emitters, wanted: string): { readonly id: string }[] {
  return [...sources.all(), ...workflows.all()].filter(({ name }) => name === wanted);
}
