/** The pins beside a workflow, and which of them replace a step (P25.92). */
import { readFile } from 'node:fs/promises';
import type { Result } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { readWorkflow } from '../../workflows/file/read.ts';
import {
  defaultPin,
  listPins,
  namesOf,
  type PinFile,
  removePins,
} from '../../workflows/lifecycle/pins.ts';
import { workflowFile } from '../../workflows/lifecycle/resolve-steps.ts';
import type { Store } from '../../store/store.ts';
import { findTestable } from './find-workflow.ts';
import type { Handlers } from './operations.ts';

type Pin = Result<'workflows.pins'>['data'][number];

export function pinsHandlers({
  store,
}: {
  readonly store: Pick<Store, 'workflows'>;
}): Pick<Handlers, 'workflows.pins' | 'workflows.unpin'> {
  return {
    'workflows.pins': async ({ id }) => {
      const { path: folder } = findTestable(store, id);
      return { data: await shown(folder, await listPins(folder)) };
    },
    'workflows.unpin': async ({ id, step, name }) => {
      if (name !== undefined && step === undefined) {
        throw new WeirError('bad_input', '"name" is of a pin of the step in "step": name it.');
      }
      const { path: folder, name: workflow } = findTestable(store, id);
      const pins = (await listPins(folder)).filter(
        (pin) =>
          (step === undefined || pin.step === step) && (name === undefined || pin.name === name),
      );
      if (pins.length === 0 && step !== undefined) {
        const which = name === undefined ? 'no pins' : `no pin ${name}`;
        throw new WeirError('not_found', `${step} of ${workflow} has ${which}.`);
      }
      const removed = await shown(folder, pins);
      await removePins(pins);
      return { removed };
    },
  };
}

async function shown(folder: string, pins: readonly PinFile[]): Promise<Pin[]> {
  if (pins.length === 0) return [];
  const text = await readFile(workflowFile(folder).file, 'utf8').catch(() => '');
  const steps = namesOf(readWorkflow(text).definition?.steps ?? []);
  return pins.map(({ step, name, file, updatedAt }) => {
    const isKnown = steps.has(step);
    const active = isKnown && name === defaultPin;
    return { step, name, file, active, known: isKnown, updated_at: updatedAt };
  });
}
