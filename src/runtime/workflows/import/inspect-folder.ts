/** Finds reasons why the workflow of a folder would not run here as it ran on the platform. Nothing of it is run. */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { howToConnect } from '../../../protocol/definition.ts';
import { stepsIn, type StepPlace } from '../../../workflow-file/steps-in.ts';
import {
  placeOf,
  yamlValues,
  type Path,
  type YamlValues,
} from '../../../workflow-file/yaml-values.ts';
import type { Environment } from '../../accounts/environment/environment.ts';
import type { PrepareOptions } from '../../components/prepare.ts';
import type { UsesStore } from '../../store/store.ts';
import { textPositions } from '../file/positions.ts';
import { readWorkflow } from '../file/read.ts';
import { filterRules } from '../file/rules.ts';
import { inClear, secretsIn } from '../../components/recordings/secrets.ts';
import { tokensIn } from '../../../protocol/secret-shapes.ts';
import { stepCodeOf } from '../file/uses.ts';
import { findEmitter } from '../lifecycle/listening.ts';
import { usedComponent } from '../lifecycle/usable-components.ts';
import { packageOf } from '../lifecycle/workspace-components.ts';
import { isRecord } from '../../../protocol/record.ts';
import { appOfProp, variablesIn } from './code-texts.ts';
import type { Finding, Question } from './report.ts';
import { timerProblem } from './timer-problem.ts';

export interface InspectOptions extends UsesStore<'sources' | 'workflows'> {
  readonly environment: Pick<Environment, 'list'>;
  readonly prepare: Pick<PrepareOptions, 'saved' | 'locked' | 'accountsOf' | 'accountsOfApp'>;
  /** The folder that contains the data folder. */
  readonly workspace: string;
  /** Whether a program is on the PATH. */
  readonly hasProgram: (name: string) => Promise<boolean>;
}

export interface InspectedFolder {
  readonly name: string;
  readonly id: string | null;
  readonly findings: readonly Finding[];
  /** The accounts that its steps name and that are not here: see `accountFindings`. */
  readonly accounts: readonly NamedAccount[];
}

interface Inspection {
  readonly options: InspectOptions;
  readonly file: string;
  readonly lineOf: (path: Path) => number;
  readonly add: (finding: Omit<Finding, 'file'> & { readonly file?: string }) => void;
  /** The accounts of the platform that its steps name, in their order. */
  readonly accounts: NamedAccount[];
}

export interface NamedAccount {
  readonly id: string;
  readonly prop: string;
  /** Undefined where neither the code nor the file says it. */
  readonly app: string | undefined;
  readonly at: { readonly line: number; readonly step: string };
}

/** @param folder absolute */
export async function inspectFolder(
  options: InspectOptions,
  folder: string,
  signal: AbortSignal,
): Promise<InspectedFolder> {
  const file = join(folder, 'workflow.yaml');
  const text = await readFile(file, 'utf8');
  const values = yamlValues(text.replace(/^\uFEFF/, ''));
  const root = values.root?.value;
  const findings: Finding[] = [];
  const add: Inspection['add'] = (finding) => findings.push({ file, ...finding });
  const inspection: Inspection = { options, file, lineOf: lines(text, values), add, accounts: [] };

  const secrets = [...secretsIn(root)];
  const asked = new Set([
    ...secrets.map(({ name }) => inClear(name)),
    ...triggersIn(root).flatMap((trigger) => timerProblemOf(trigger) ?? []),
  ]);
  // Errors of a deploy that the text alone shows; questions are not repeated.
  for (const { severity, message, line } of readWorkflow(text).diagnostics) {
    if (severity === 'info' || asked.has(message)) continue;
    add({ state: severity === 'error' ? 'cannot' : 'note', message, line, step: null });
  }
  inspectTriggers(root, inspection);
  for (const { path, name } of secrets) {
    const message = 'A secret stands here in clear, where everybody who gets the file reads it.';
    const question = { kind: 'secret', name } as const;
    add({ state: 'answer', message, line: inspection.lineOf(path), step: null, question });
  }
  for (const place of stepsIn(root)) {
    signal.throwIfAborted();
    if (place.step['disabled'] !== true) await inspectStep(place, inspection, signal);
  }
  if (isRecord(root) && root['inactive'] === true) {
    const message =
      'It is inactive, and is deployed switched off: "weir update … --activate" switches it on, or remove "inactive".';
    add({ state: 'note', message, line: inspection.lineOf(['inactive']), step: null });
  }
  if (isRecord(root) && [...stepsIn(root)].length === 0) {
    add({ state: 'note', message: 'It has no steps, so it does nothing.', line: 1, step: null });
  }
  const state = await readFile(join(folder, '.workflow.state'), 'utf8').catch(() => '');
  return {
    name: isRecord(root) && typeof root['name'] === 'string' ? root['name'] : basename(folder),
    id: /^id:\s*(p_\w+)/m.exec(state)?.[1] ?? null,
    findings: unique(findings),
    accounts: inspection.accounts,
  };
}

function lines(text: string, { root }: YamlValues): (path: Path) => number {
  const positions = textPositions(text.replace(/^\uFEFF/, ''));
  return (path) => (root === undefined ? 1 : positions.at(placeOf(root.at, path).span.start).line);
}

function inspectTriggers(root: unknown, inspection: Inspection): void {
  for (const [index, trigger] of triggersIn(root).entries()) {
    if (!isRecord(trigger)) continue;
    const line = inspection.lineOf(['triggers', index]);
    if (isEmail(trigger)) {
      const message =
        'No mail server listens here: it gets the messages that "weir invoke … --email" or REST hands it.';
      inspection.add({ state: 'note', message, line, step: null });
      continue;
    }
    if (isOpenEndpoint(trigger)) {
      const message =
        'Its endpoint takes requests of everybody: git-sync does not carry the authorization of a trigger. Set props.auth where it had one.';
      inspection.add({ state: 'note', message, line, step: null });
    }
    const question = triggerQuestion(trigger, index, inspection.options);
    if (question === undefined) continue;
    const { message, ...asked } = question;
    inspection.add({ state: 'answer', message, line, step: null, question: asked });
  }
}

function triggersIn(root: unknown): readonly unknown[] {
  return isRecord(root) && Array.isArray(root['triggers']) ? root['triggers'] : [];
}

/** Undefined for a timer that fires, and for other triggers. */
function timerProblemOf(trigger: unknown): string | undefined {
  if (!isRecord(trigger)) return undefined;
  const { id, uses, props } = trigger;
  const isTimer = uses === '$.interface.timer' || (typeof id === 'string' && id.startsWith('ti_'));
  return isTimer ? timerProblem(isRecord(props) ? props : {}) : undefined;
}

function isEmail({ id, uses }: Readonly<Record<string, unknown>>): boolean {
  return uses === 'email' || (uses === undefined && typeof id === 'string' && id.startsWith('ei_'));
}

/** Known by its id alone, so that nobody knows whether it asked callers for a token. */
function isOpenEndpoint({ id, uses, props }: Readonly<Record<string, unknown>>): boolean {
  return (
    uses === undefined && props === undefined && typeof id === 'string' && id.startsWith('hi_')
  );
}

function triggerQuestion(
  trigger: Readonly<Record<string, unknown>>,
  index: number,
  { store }: InspectOptions,
): (Question & { readonly message: string }) | undefined {
  const problem = timerProblemOf(trigger);
  if (problem !== undefined) return { kind: 'timer', trigger: index, message: problem };
  const id = typeof trigger['id'] === 'string' ? trigger['id'] : '';
  const uses = typeof trigger['uses'] === 'string' ? trigger['uses'] : '';
  const props = isRecord(trigger['props']) ? trigger['props'] : {};
  const isListener = /^(?:dc|sub|p)_/.test(id) || uses === 'subscription' || uses.startsWith('sc_');
  if (!isListener) return undefined;
  const emitter = typeof props['emitter'] === 'string' ? props['emitter'] : id;
  if (findEmitter(store, emitter) !== undefined) return undefined;
  const what = emitter === '' ? 'a source or workflow' : emitter;
  const message = `It listens to ${what}, which is not here: deploy that source or workflow, and name it as "emitter".`;
  return { kind: 'emitter', trigger: index, message };
}

async function inspectStep(
  { step, namespace, path }: StepPlace,
  inspection: Inspection,
  signal: AbortSignal,
): Promise<void> {
  const { uses } = step;
  if (typeof uses !== 'string') return;
  const { options, file, lineOf, add } = inspection;
  const at = { line: lineOf(path), step: namespace };
  const code = stepCodeOf(uses);
  const props = isRecord(step['props']) ? step['props'] : {};
  lookForVariables(JSON.stringify(props), file, at, inspection);
  // Its rules are all that runs of a filter.
  if (filterRules(props) !== undefined) return;
  // Reported with the text.
  if ('wrong' in code) return;
  if (code.kind === 'foreign') {
    if ((await options.prepare.locked(code.reference)) !== undefined) return;
    const { reference } = code;
    const key = ('key' in reference ? reference.key : undefined) ?? uses;
    return add({
      ...at,
      state: 'answer',
      message: `The component ${uses} is not here.`,
      question: { kind: 'component', key, reference: uses, package: null },
    });
  }
  if (code.kind === 'published') {
    inspection.accounts.push(...accountsIn(props, () => code.key.split('-')[0], at, options));
    const found = await usedComponent(
      { ...options, saved: options.prepare.saved, locked: options.prepare.locked },
      file,
      uses,
      signal,
    );
    if (found !== undefined) return;
    const name = packageOf(code.key) ?? null;
    const message = `The component ${uses} is not here.`;
    return add({
      ...at,
      state: 'answer',
      message,
      question: { kind: 'component', key: code.key, reference: uses, package: name },
    });
  }
  const source = resolve(dirname(file), code.path);
  if (!(await isFile(source))) {
    return add({ ...at, state: 'cannot', message: `Its file ${code.path} is missing.` });
  }
  const text = await readFile(source, 'utf8');
  lookForVariables(text, source, { line: 1, step: namespace }, inspection);
  for (const { what, line } of tokensIn(text)) {
    const message = `The code has ${what} in clear. Set it with "weir env set", and read it from process.env.`;
    add({ state: 'note', message, line, step: namespace, file: source });
  }
  const appOf = (prop: string): string | undefined =>
    appOfProp(text, prop) ?? appOfConfigurable(props, prop);
  inspection.accounts.push(...accountsIn(props, appOf, at, options));
  const program = { node: undefined, python: 'python3', bash: 'bash' }[code.language];
  if (program === undefined || (await options.hasProgram(program))) return;
  const message = `It needs ${program}, which is not on the PATH: install it.`;
  add({ ...at, state: 'cannot', message });
}

/** @param at the place of a step; in a file of its own, the line of the read */
function lookForVariables(
  text: string,
  file: string,
  at: { readonly line: number; readonly step: string },
  { options, file: workflow, add }: Inspection,
): void {
  const known = new Set(options.environment.list().map(({ name }) => name));
  for (const [name, line] of variablesIn(text)) {
    if (known.has(name)) continue;
    const message = `Set the environment variable ${name}.`;
    const place = file === workflow ? at : { ...at, line };
    add({ ...place, file, state: 'answer', message, question: { kind: 'variable', name } });
  }
}

/** A step in Python has no code that declares its props: git-sync keeps the declarations beside their values. */
function appOfConfigurable(
  props: Readonly<Record<string, unknown>>,
  prop: string,
): string | undefined {
  const declared = props['__configurableProps'];
  const found: unknown = Array.isArray(declared)
    ? declared.find((one: unknown) => isRecord(one) && one['name'] === prop)
    : undefined;
  return isRecord(found) && typeof found['app'] === 'string' ? found['app'] : undefined;
}

/** The accounts that are not here. */
function accountsIn(
  props: Readonly<Record<string, unknown>>,
  appOf: (prop: string) => string | undefined,
  at: NamedAccount['at'],
  { prepare }: InspectOptions,
): NamedAccount[] {
  return Object.entries(props).flatMap(([prop, value]) => {
    const id = isRecord(value) ? value['authProvisionId'] : undefined;
    if (typeof id !== 'string' || id.includes('{{')) return [];
    const isHere = Object.keys(prepare.accountsOf({ account: value })).length > 0;
    return isHere ? [] : [{ id, prop, app: appOf(prop), at }];
  });
}

/**
 * An app's only account is used, unless the workflows distinguish several accounts of that app.
 * @param own accounts that the steps of a workflow name
 * @param all accounts of all workflows of the import
 */
export function accountFindings(
  { prepare }: Pick<InspectOptions, 'prepare'>,
  file: string,
  own: readonly NamedAccount[],
  all: readonly NamedAccount[],
): Finding[] {
  const findings = own.map(({ id, prop, app, at }): Finding => {
    const accounts = app === undefined ? [] : prepare.accountsOfApp(app);
    const ofApp = new Set(all.filter((one) => one.app === app).map((one) => one.id));
    const [first] = accounts;
    if (app !== undefined && first !== undefined && accounts.length === 1 && ofApp.size === 1) {
      const message = `${prop}: ${id} is not here; ${first.name}, the only account of ${app}, is taken.`;
      return { ...at, file, state: 'note', message };
    }
    const message = `${prop}: the account ${id} is not here; ${howToBind(app, accounts, ofApp.size)}.`;
    const question = { kind: 'account', id, app: app ?? null } as const;
    return { ...at, file, state: 'answer', message, question };
  });
  return unique(findings);
}

function howToBind(
  app: string | undefined,
  accounts: readonly { readonly id: string; readonly name: string }[],
  different: number,
): string {
  if (app === undefined) return 'connect an account of its app, and give its id';
  if (accounts.length === 0) return howToConnect(app);
  const known = accounts.map((one) => `${one.id} (${one.name})`).join(', ');
  return accounts.length > 1
    ? `give the id of one of the accounts of ${app}: ${known}`
    : `${different} accounts of ${app} are named, and one is here: give the id of ${known}, or connect another one`;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

function unique(findings: readonly Finding[]): Finding[] {
  return [
    ...new Map(findings.map((one) => [`${one.file} ${one.line} ${one.message}`, one])).values(),
  ];
}
