/** The code behind the steps of a workflow: each `uses` becomes a saved component, and its props are checked. */
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type ComponentDefinition, needsNoAccount } from '../../../protocol/definition.ts';
import { type ErrorDetail, WeirError } from '../../../protocol/errors.ts';
import { publicComponents } from '../../../protocol/missing-components.ts';
import type { ActionStep, StepDefinition, WorkflowDefinition } from '../../../protocol/workflow.ts';
import type { Deployment } from '../../components/deployments/deployment.ts';
import { load, type TaskContext } from '../../components/load.ts';
import { type Origin, resolveOrigin } from '../../components/origin.ts';
import type { PrepareOptions } from '../../components/prepare.ts';
import type { SavedComponents } from '../../components/saved-components.ts';
import { missingAccounts } from '../../components/props/accounts.ts';
import type { Configured } from '../../components/props/configured.ts';
import { validateProps, withDefaults } from '../../components/props/validation.ts';
import { filterRules } from '../file/rules.ts';
import { stepCodeOf } from '../file/uses.ts';
import { scriptCode, type ScriptOptions } from '../scripts/script-code.ts';
import { boundProps } from './bound-props.ts';
import { withDeclaredProps } from './script-props.ts';
import { readDefinition } from './read-definition.ts';
import { computeStepProps, hasExpression, type PropSet, stepDefinition } from './step-props.ts';
import { findComponent, packageFolders, packageOf, repositoryOf } from './workspace-components.ts';

export interface ResolveOptions {
  readonly prepare: PrepareOptions;
  readonly savedComponents: Pick<SavedComponents, 'save'>;
  readonly scripts: ScriptOptions;
  /** The folder that contains the data folder: components are searched among its files. */
  readonly workspace: string;
  /** Warns a person about a workflow that can still run, with the line of its file (from 1). */
  readonly warn: (message: string, line: number) => void;
  /** Makes it a check: whether the code of this file (null for text that is made here) may be evaluated. */
  readonly mayEvaluate?: (path: string | null) => boolean;
  /** A set of props that was computed before for such a step of this component; nothing is computed then. */
  readonly knownPropSet?: (step: ActionStep, componentId: string) => PropSet | undefined;
}

/** By `uses`. */
export type ResolvedComponents = ReadonlyMap<string, ResolvedStep>;

export interface ResolvedSteps {
  readonly components: ResolvedComponents;
  /** Prop sets of steps whose component has `additionalProps`. */
  readonly propSets: ReadonlyMap<ActionStep, PropSet>;
}

export interface ResolvedStep {
  readonly componentId: string;
  readonly hash: string;
  readonly definition: ComponentDefinition;
}

/** Every step that runs code, blocks looked into. */
export function actionsOf(steps: readonly StepDefinition[]): ActionStep[] {
  return steps.flatMap((step) => {
    if (step.kind === 'action') return [step];
    const inside = step.branches.flatMap((branch) => actionsOf(branch.steps));
    return [...inside, ...actionsOf(step.otherwise?.steps ?? [])];
  });
}

export interface StepNeed {
  readonly kind: 'account' | 'data_store';
  readonly step: string;
  readonly line: number;
  readonly message: string;
}

/** A deploy's findings about the steps. */
export interface ExaminedSteps extends ResolvedSteps {
  /** The errors that prevent a deploy, each at its line of a file. */
  readonly wrong: readonly ErrorDetail[];
  /** Components of others that nobody has allowed: one detail each. */
  readonly asked: readonly ErrorDetail[];
  /** Packages that are to be installed: one detail each. Always empty where they stop the examination. */
  readonly packages: readonly ErrorDetail[];
  /** For a check: the needs of steps that can be deployed without them, one sentence each. */
  readonly needs: readonly StepNeed[];
  /** For a check: the app props that need no account (P2.20). */
  readonly accountless: readonly StepProp[];
}

export interface StepProp {
  readonly step: string;
  readonly prop: string;
}

/**
 * Bundles and evaluates what the steps use. Only within `SavedComponents.adding`.
 * @param file absolute path of `workflow.yaml`
 * @throws WeirError `bad_component` or `bad_input` with a detail per step, at its line of the file; `trust_needed` with one
 *   per component that nobody allowed
 */
export async function resolveSteps(
  options: ResolveOptions,
  file: string,
  definition: WorkflowDefinition,
  install: boolean | undefined,
  context: TaskContext,
): Promise<ResolvedSteps> {
  const { wrong, asked, components, propSets } = await examineSteps(
    options,
    file,
    definition,
    install,
    context,
  );
  if (wrong.length === 0 && asked.length > 0) {
    const named = asked.map((detail) => String(detail['reference']));
    throw new WeirError(
      'trust_needed',
      `${file} uses components of others that nobody has allowed here: ${named.join(', ')}. Look at what they are, and say yes with "weir deploy", on a terminal or with --trust.`,
      [...asked],
    );
  }
  if (wrong.length === 0) return { components, propSets };
  const sentences = wrong.map((detail) => sentenceOf(detail, file));
  throw new WeirError('bad_input', sentences.join('\n'), [...wrong]);
}

/**
 * As `resolveSteps`, with all that is wrong in the result. With `options.mayEvaluate` it is a check: nothing is saved, and
 * code that may not be evaluated is read by a parser.
 * @throws WeirError `packages_needed` unless it is a check, `cancelled`
 */
export async function examineSteps(
  options: ResolveOptions,
  file: string,
  { steps }: WorkflowDefinition,
  install: boolean | undefined,
  context: TaskContext,
): Promise<ExaminedSteps> {
  const resolved = new Map<string, ResolvedStep>();
  const propSets = new Map<ActionStep, PropSet>();
  const wrong: ErrorDetail[] = [];
  const asked = new Map<string, ErrorDetail>();
  const packages: ErrorDetail[] = [];
  const needs: StepNeed[] = [];
  const accountless: StepProp[] = [];
  const all = actionsOf(steps).filter(({ disabled }) => !disabled);
  // A filter is its rules: its code never runs, and need not be there (P25.29).
  const withCode = new Set(
    all.filter(({ props }) => filterRules(props) === undefined).map(({ uses }) => uses),
  );
  for (const step of all) {
    const at = { file, line: step.line, column: 0, step: step.namespace };
    try {
      if (!resolved.has(step.uses)) {
        const code = withCode.has(step.uses) ? undefined : filterCode;
        const declared = withDeclaredProps(step, all);
        resolved.set(step.uses, await resolveOne(options, file, declared, install, context, code));
      }
      const found = resolved.get(step.uses);
      if (found === undefined) continue;
      const propSet = await propSetOf(options, step, found, context);
      if (propSet !== undefined) propSets.set(step, propSet);
      const definition = stepDefinition(found.definition, { ...(propSet && { propSet }) });
      wrong.push(...wrongProps(options.prepare, file, step, definition));
      if (options.mayEvaluate === undefined) continue;
      needs.push(...needsOf(options.prepare, step, definition));
      const withoutNeed = definition.props.filter(needsNoAccount);
      accountless.push(...withoutNeed.map(({ name }) => ({ step: step.namespace, prop: name })));
    } catch (error) {
      if (WeirError.is(error, 'trust_needed')) {
        // The components of all steps are asked about at once.
        for (const detail of error.details ?? []) asked.set(String(detail['token']), detail);
        continue;
      }
      if (options.mayEvaluate !== undefined && WeirError.is(error, 'packages_needed')) {
        packages.push(...(error.details ?? []).map((detail) => ({ ...detail, ...at })));
        continue;
      }
      if (!WeirError.is(error, 'bad_component') && !WeirError.is(error, 'bad_input')) throw error;
      // A compile error has its own place, in the step's file.
      const own = error.details?.filter((detail) => detail.file !== undefined) ?? [];
      wrong.push(
        ...(own.length > 0
          ? own.map((detail) => ({ step: step.namespace, ...detail }))
          : [{ ...at, message: `${step.namespace}: ${error.message}` }]),
      );
    }
  }
  return {
    components: resolved,
    propSets,
    wrong,
    asked: [...asked.values()],
    packages,
    needs,
    accountless,
  };
}

/** An error in `workflow.yaml` names its step; an error in a step's code is named by its place. */
function sentenceOf({ file, line, message }: ErrorDetail, workflow: string): string {
  if (file === undefined || file === workflow) return message;
  return `${relative(dirname(workflow), file)}:${line ?? 1}: ${message}`;
}

/** Code for a step whose own code never runs. */
const filterCode = 'export default { run() {} };\n';

/**
 * The code that a deploy of the step runs, and its origin; it is bundled, but not evaluated.
 * @param code instead of the step's own
 * @throws WeirError `bad_component`, `bad_input`, `packages_needed`, `cancelled`
 */
export async function buildStep(
  options: ResolveOptions,
  file: string,
  step: ActionStep,
  install: boolean | undefined,
  context: TaskContext,
  code?: string,
): Promise<{ readonly origin: Origin; readonly built: Deployment }> {
  const origin: Origin =
    code === undefined
      ? { ...(await originOf(options, file, step, install, context)), install }
      : { component_code: code };
  return { origin, built: await resolveOrigin(options.prepare, origin, context) };
}

async function resolveOne(
  options: ResolveOptions,
  file: string,
  step: ActionStep,
  install: boolean | undefined,
  context: TaskContext,
  code: string | undefined,
): Promise<ResolvedStep> {
  const { prepare, savedComponents, mayEvaluate } = options;
  context.progress(`Preparing ${step.namespace}`);
  const { origin, built } = await buildStep(options, file, step, install, context, code);
  // For the same code of the same file, the definition is known (P25.86).
  const saved = prepare.saved.find(built.hash, built.path);
  if (saved !== undefined) {
    return { componentId: saved.id, hash: built.hash, definition: saved.definition };
  }
  if (mayEvaluate?.(built.path) === false) {
    return { componentId: '', hash: built.hash, definition: await readDefinition(built) };
  }
  const loaded = await load(prepare, null, { ...origin, built }, context);
  try {
    const id = mayEvaluate === undefined ? (await savedComponents.save(loaded)).id : '';
    return { componentId: id, hash: loaded.deployment.hash, definition: loaded.definition };
  } finally {
    void loaded.host.end(0);
  }
}

async function originOf(
  { prepare, scripts, workspace, warn }: ResolveOptions,
  file: string,
  { namespace, uses, props, line }: ActionStep,
  install: boolean | undefined,
  context: TaskContext,
): Promise<Origin> {
  const code = stepCodeOf(uses);
  if ('wrong' in code) throw new WeirError('bad_input', code.wrong);
  if (code.kind === 'file') {
    const path = isAbsolute(uses) ? uses : resolve(dirname(file), uses);
    const { language } = code;
    if (language === 'node') return { component_path: path };
    const configurableProps = props['__configurableProps'];
    const request = {
      language,
      path,
      configurableProps,
      signal: context.signal,
      progress: (message: string) => context.progress(message),
      install,
    };
    return { component_code: await scriptCode(scripts, request) };
  }
  if (code.kind === 'foreign') {
    return { component_path: await prepare.foreign(code.reference, context) };
  }
  const published = prepare.saved.published(code.key);
  if (published !== undefined) return { component_id: published.componentId };
  const { key, version } = code;
  const roots = [workspace, await repositoryOf(dirname(file))];
  const packages = packageFolders(dirname(file), key);
  const found = await findComponent([...roots, ...packages], key, version, context.signal);
  if (found?.version === version) return { component_path: found.path };
  // That version of others comes before another one that is here.
  const foreign = await foreignPath(prepare, key, version, context);
  if ('path' in foreign) return { component_path: foreign.path };
  if (found !== undefined) {
    warn(
      `${namespace} uses ${key}@${version}; ${found.path} has ${found.version ?? 'no version'}, and is taken.`,
      line,
    );
    return { component_path: found.path };
  }
  throw new WeirError(
    'bad_input',
    `There is no component ${key} here, neither published nor among the files and packages of ${[...new Set(roots)].join(' and ')}: ${howToGet(key)}publish its file with "weir publish", or name the file in "uses". ${foreign.reason}`,
  );
}

/** From the lock and the registries. */
async function foreignPath(
  { foreign }: PrepareOptions,
  key: string,
  version: string,
  context: TaskContext,
): Promise<{ readonly path: string } | { readonly reason: string }> {
  try {
    return { path: await foreign({ kind: 'key', key, version }, context) };
  } catch (error) {
    if (WeirError.is(error, 'not_found')) return { reason: error.message };
    throw error;
  }
}

/** The key of a component of the platform begins with its app. */
function howToGet(key: string): string {
  if (packageOf(key) === undefined) return '';
  return `add the registry of Pipedream's public components with "weir registry add ${publicComponents.place}", `;
}

/** Accounts that nobody has connected, and stores whose contents are elsewhere. */
function needsOf(
  prepare: PrepareOptions,
  { namespace, line, props }: ActionStep,
  definition: ComponentDefinition,
): StepNeed[] {
  const at = { step: namespace, line };
  const store = definition.props.find(({ type }) => type === 'data_store');
  const emptyStore =
    'Its data store begins empty: fill it with "weir data-stores set" or from a workflow.';
  let account = '';
  try {
    account = missingAccounts(definition, boundProps(prepare, definition, props));
  } catch {
    // If the app has several accounts, `wrongProps` has reported it.
  }
  return [
    ...(account === '' ? [] : [{ ...at, kind: 'account' as const, message: account }]),
    ...(store === undefined ? [] : [{ ...at, kind: 'data_store' as const, message: emptyStore }]),
  ];
}

/** Undefined for a component without `additionalProps`, and where only a run can compute the set. */
async function propSetOf(
  { prepare, warn, knownPropSet }: ResolveOptions,
  step: ActionStep,
  found: ResolvedStep,
  context: TaskContext,
): Promise<PropSet | undefined> {
  if (!found.definition.hasAdditionalProps) return undefined;
  const known = knownPropSet?.(step, found.componentId);
  if (known !== undefined) return known;
  return computeStepProps(prepare, step, found, context, (message) => {
    warn(
      `${step.namespace}: additionalProps failed: ${message} It is called again when the step runs.`,
      step.line,
    );
  });
}

/** Values that are expressions are known when the step runs, and checked by nobody before. */
function wrongProps(
  prepare: PrepareOptions,
  file: string,
  step: ActionStep,
  definition: ComponentDefinition,
): ErrorDetail[] {
  const at = { file, line: step.line, column: 0, step: step.namespace };
  let configured: Configured;
  try {
    configured = withDefaults(definition, boundProps(prepare, definition, step.props));
  } catch (error) {
    if (!WeirError.is(error, 'bad_input')) throw error;
    return [{ ...at, message: `${step.namespace}: ${error.message}` }];
  }
  const known = definition.props.filter((prop) => !hasExpression(configured[prop.name]));
  return validateProps({ ...definition, props: known }, configured).map(({ prop, message }) => ({
    ...at,
    ...(prop !== undefined && { prop }),
    message: `${step.namespace}.${message}`,
  }));
}

/** The folder's `workflow.yaml`, of either path. */
export function workflowFile(path: string): { readonly folder: string; readonly file: string } {
  const isFile = /\.ya?ml$/i.test(path);
  return isFile
    ? { folder: dirname(path), file: path }
    : { folder: path, file: join(path, 'workflow.yaml') };
}
