/**
 * Pins: results of a step that were kept by name, and replace it in tests (P25.92). Each is a file
 * `<namespace>/pins/<name>.json` beside `workflow.yaml`, with what later steps read as `steps.<namespace>`.
 */
import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { placeInside, writeInside } from '../../../protocol/write-inside.ts';
import { own } from '../../../protocol/own.ts';
import type { StepDefinition } from '../../../protocol/workflow.ts';
import type { Pin } from '../../store/history/executions.ts';

/** The pin that replaces the step unless another one is requested. */
export const defaultPin = 'default';

const pinName = /^[\w-][\w.-]{0,99}$/;

export interface PinChoice {
  /** By the name of its step the name of a pin, or what later steps read of it. */
  readonly pins: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
  /** Whether an existing pin `default` replaces a step that is not named. */
  readonly useDefault: boolean;
}

/**
 * The pins of a test, by the names of their steps.
 * @param folder of the workflow, absolute
 * @throws WeirError `bad_input` for a missing step or pin, and for a file that is not a pin
 */
export async function readPins(
  folder: string,
  steps: readonly StepDefinition[],
  { pins: chosen, useDefault }: PinChoice,
): Promise<Record<string, Pin>> {
  const names = namesOf(steps);
  const unknown = Object.keys(chosen).find((step) => !names.has(step));
  if (unknown !== undefined) {
    const known = [...names].join(', ');
    throw new WeirError('bad_input', `There is no step ${unknown} to pin; there are ${known}.`);
  }
  const pins: [string, Pin][] = [];
  for (const step of names) {
    const name = own(chosen, step);
    if (name === undefined && !useDefault) continue;
    if (typeof name === 'object') {
      pins.push([step, pinOf('given', name)]);
      continue;
    }
    const pin = await readPin(folder, step, name ?? defaultPin, name !== undefined);
    if (pin !== undefined) pins.push([step, pin]);
  }
  return Object.fromEntries(pins);
}

/**
 * Keeps results of a step.
 * @param value what later steps read as `steps.<namespace>`
 * @returns absolute path of the file
 * @throws WeirError `bad_input` for an invalid name and a folder that is gone, `conflict` if there is one already
 */
export async function writePin(
  folder: string,
  step: string,
  name: string,
  value: object,
  replace: boolean,
): Promise<string> {
  const file = fileOf(folder, step, name);
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new WeirError('bad_input', `There is no folder ${folder}.`);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  try {
    await writeInside(folder, file, text, { replace });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new WeirError(
      'conflict',
      `${file} is there already: give the pin another name, or say that it is to be replaced.`,
    );
  }
  return file;
}

/** A pin beside a workflow. */
export interface PinFile {
  readonly step: string;
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  /** Epoch ms. */
  readonly updatedAt: number;
}

/**
 * Every pin beside a workflow, by step and name; also those of steps that it does not have any more.
 * @param folder of the workflow, absolute; one that is gone has none
 */
export async function listPins(folder: string): Promise<PinFile[]> {
  const steps = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const pins = steps
    .filter((step) => step.isDirectory() && step.name !== 'node_modules')
    .map(async ({ name: step }): Promise<PinFile[]> => {
      const files = await readdir(join(folder, step, 'pins')).catch(() => []);
      const found = files.map(async (entry): Promise<PinFile[]> => {
        const name = entry.replace(/\.json$/, '');
        if (name === entry || !pinName.test(name)) return [];
        const file = fileOf(folder, step, name);
        const about = await stat(file).catch(() => undefined);
        if (about?.isFile() !== true) return [];
        return [{ step, name, file, updatedAt: Math.round(about.mtimeMs) }];
      });
      return (await Promise.all(found)).flat();
    });
  const all = (await Promise.all(pins)).flat();
  return all.toSorted((a, b) => a.step.localeCompare(b.step) || a.name.localeCompare(b.name));
}

/** Removes pins, and the folder `pins` of a step that has none left. */
export async function removePins(pins: readonly PinFile[]): Promise<void> {
  for (const { file } of pins) {
    const folder = dirname(dirname(dirname(file)));
    await rm(await placeInside(folder, file, { followsLast: false }), { force: true });
    // Other files in the folder stay.
    await rmdir(dirname(file)).catch(() => undefined);
  }
}

async function readPin(
  folder: string,
  step: string,
  name: string,
  isRequired: boolean,
): Promise<Pin | undefined> {
  const file = fileOf(folder, step, name);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && !isRequired) return undefined;
    const why = isMissing ? 'There is no pin' : 'This pin cannot be read:';
    throw new WeirError('bad_input', `${why} ${file}.`, undefined, error);
  }
  const value = objectOf(text);
  if (value === undefined) {
    throw new WeirError(
      'bad_input',
      `${file} must be a JSON object with what later steps read as steps.${step}, such as {"$return_value": 1}.`,
    );
  }
  return pinOf(name, value);
}

/** @param value what later steps read of the step */
function pinOf(name: string, value: Readonly<Record<string, unknown>>): Pin {
  const { $return_value: returned, ...exports } = value;
  return {
    name,
    exports: JSON.stringify(exports),
    returnValue: returned === undefined ? null : JSON.stringify(returned),
  };
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function fileOf(folder: string, step: string, name: string): string {
  if (!pinName.test(name)) {
    throw new WeirError(
      'bad_input',
      `"${name}" is not a name for a pin: use letters, digits, ".", "_" and "-".`,
    );
  }
  return join(folder, step, 'pins', `${name}.json`);
}

/** Names of all steps, including those in blocks. */
export function namesOf(steps: readonly StepDefinition[]): Set<string> {
  const names = steps.flatMap((step): string[] => {
    if (step.kind === 'action') return [step.namespace];
    const inside = [...step.branches.map((one) => one.steps), step.otherwise?.steps ?? []];
    return [step.namespace, ...inside.flatMap((one) => [...namesOf(one)])];
  });
  return new Set(names);
}
