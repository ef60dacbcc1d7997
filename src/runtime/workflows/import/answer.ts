/** Answers to what an import asks, written into `workflow.yaml` with all else kept. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import { maskOf } from '../../../protocol/mask.ts';
import { stepsIn, valueAt } from '../../../workflow-file/steps-in.ts';
import { withValue } from '../../../workflow-file/edit.ts';
import { yamlValues } from '../../../workflow-file/yaml-values.ts';
import type { Environment } from '../../accounts/environment/environment.ts';
import { writeInside } from '../../../protocol/write-inside.ts';
import { readWorkflow } from '../file/read.ts';
import { secretsIn } from '../../components/recordings/secrets.ts';
import { stepCodeOf } from '../file/uses.ts';
import { own } from '../../../protocol/own.ts';
import { isRecord } from '../../../protocol/record.ts';
import { timerProblem } from './timer-problem.ts';
import { originalFileName, originalText } from './write-workflow.ts';

/**
 * Says how a trigger is set up.
 * @param props of `$.interface.timer`, `$.interface.http` or of a listener, by what the file says it is
 * @throws WeirError `bad_input` when the file would not be one afterwards, or a timer would never fire; it is left as it was
 */
export async function answerTrigger(
  file: string,
  index: number,
  props: Readonly<Record<string, unknown>>,
): Promise<void> {
  const isTimer = props['cron'] !== undefined || props['intervalSeconds'] !== undefined;
  const problem = isTimer ? timerProblem(props) : undefined;
  if (problem !== undefined) throw new WeirError('bad_input', problem);
  const before = await readFile(file, 'utf8');
  const changed = withValue(before, ['triggers', index, 'props'], props);
  const errors = readWorkflow(changed).diagnostics.filter(({ severity }) => severity === 'error');
  const known = new Set(readWorkflow(before).diagnostics.map(({ message }) => message));
  const [wrong] = errors.filter(({ message }) => !known.has(message));
  if (wrong !== undefined) throw new WeirError('bad_input', wrong.message);
  if (changed !== before) await writeInside(dirname(file), file, changed);
}

/**
 * Gives the props of steps the accounts of this machine, wherever the file names those of the platform.
 * @param accounts the new id by the id in the file
 * @returns how many props were changed
 */
export async function bindAccounts(
  file: string,
  accounts: Readonly<Record<string, string>>,
): Promise<number> {
  const before = await readFile(file, 'utf8');
  const { text, changed } = withAccounts(before, accounts);
  if (changed > 0) await writeInside(dirname(file), file, text);
  return changed;
}

/** As `bindAccounts` does it, with all else of the text kept (pure). */
export function withAccounts(
  before: string,
  accounts: Readonly<Record<string, string>>,
): { readonly text: string; readonly changed: number } {
  let text = before;
  let changed = 0;
  for (const { path, step } of stepsIn(yamlValues(before).root?.value)) {
    const props = isRecord(step['props']) ? step['props'] : {};
    for (const [prop, value] of Object.entries(props)) {
      const id = isRecord(value) ? value['authProvisionId'] : undefined;
      const taken = typeof id === 'string' && Object.hasOwn(accounts, id) ? accounts[id] : id;
      if (taken === id) continue;
      text = withValue(text, [...path, 'props', prop, 'authProvisionId'], taken);
      changed += 1;
    }
  }
  return { text, changed };
}

/**
 * Gives steps other versions of their components, and keeps the rest of the file.
 * @param versions the new version by the `key@version` in the file
 * @returns how many steps were changed
 */
export async function takeVersions(
  file: string,
  versions: Readonly<Record<string, string>>,
): Promise<number> {
  const before = await readFile(file, 'utf8');
  let text = before;
  let changed = 0;
  for (const { path, step } of stepsIn(yamlValues(before).root?.value)) {
    const { uses } = step;
    const taken = typeof uses === 'string' ? own(versions, uses) : undefined;
    if (taken === undefined || taken === uses) continue;
    const code = stepCodeOf(taken);
    if ('wrong' in code) throw new WeirError('bad_input', code.wrong);
    text = withValue(text, [...path, 'uses'], taken);
    changed += 1;
  }
  if (changed > 0) await writeInside(dirname(file), file, text);
  return changed;
}

/**
 * Moves plain-text secrets of a file into the environment; an expression replaces each.
 * @returns the names of the variables that were set
 */
export async function moveSecrets(
  file: string,
  environment: Pick<Environment, 'all' | 'set'>,
): Promise<string[]> {
  let text = await readFile(file, 'utf8');
  const root = yamlValues(text).root?.value;
  const names: string[] = [];
  const moved: Record<string, string> = {};
  for (const { path, name } of secretsIn(root)) {
    const value = String(valueAt(root, path));
    const variable = freeName(name, value, environment.all());
    // Before the file lets go of it.
    await environment.set(variable, value);
    text = withValue(text, path, `{{process.env.${variable}}}`);
    names.push(variable);
    moved[variable] = value;
  }
  if (names.length > 0) await writeInside(dirname(file), file, text);
  await hideInOriginal(dirname(file), moved);
  return names;
}

/** The export's text kept by an earlier version may contain the secrets, too. */
async function hideInOriginal(
  folder: string,
  moved: Readonly<Record<string, string>>,
): Promise<void> {
  const file = join(folder, originalFileName);
  const before = await readFile(file, 'utf8').catch(() => undefined);
  const value = before === undefined ? undefined : valueOfJson(before);
  if (before === undefined || value === undefined) return;
  const hidden = originalText(value, before, maskOf(moved));
  if (hidden !== before) await writeInside(folder, originalFileName, hidden);
}

/** A name that is not set, or already has this value. */
function freeName(name: string, value: string, set: Readonly<Record<string, string>>): string {
  const base = /^[A-Z_]\w*$/i.test(name) ? name : `SECRET_${name}`;
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? base : `${base}_${n}`;
    if (!Object.hasOwn(set, candidate) || set[candidate] === value) return candidate;
  }
}
