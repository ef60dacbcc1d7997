/** The steps of an exported workflow, as `workflow.yaml` has them, and the files of their code (pure). */
import { isRecord } from '../../../protocol/record.ts';
import type { Reading } from './reading.ts';
import { Shape } from './shape.ts';

type Step = Record<string, unknown>;

export function exportedSteps(value: unknown, path: string, reading: Reading): Step[] {
  if (!Array.isArray(value)) {
    if (value !== undefined) reading.notUnderstood.push(path);
    return [];
  }
  const taken = new Set<string>();
  return value.flatMap((one: unknown, index) => {
    const at = `${path}[${index}]`;
    if (isRecord(one)) return [exportedStep(new Shape(one, at), taken, reading)];
    reading.notUnderstood.push(at);
    return [];
  });
}

function exportedStep(shape: Shape, taken: Set<string>, reading: Reading): Step {
  const namespace = nameOf(shape, taken, reading);
  const notes = shape.text('notes', 'note', 'description');
  const disabled = shape.flag('disabled') === true;
  const control = controlOf(shape);
  const step: Step = {
    namespace,
    ...(control === undefined
      ? actionOf(shape, namespace, reading)
      : blockOf(control, shape, reading)),
    ...(disabled && { disabled }),
    ...(notes !== undefined && { notes }),
  };
  shape.ignore('id', 'type', 'kind', 'title', 'name');
  reading.notUnderstood.push(...shape.left);
  return step;
}

/** A name that `steps.<name>` can have; a changed name is reported, because expressions use it. */
function nameOf(shape: Shape, taken: Set<string>, reading: Reading): string {
  const said = shape.text('namespace', 'slug', 'name_slug', 'name') ?? 'step';
  const clean = said.replaceAll(/[^\w$]+/g, '_').replace(/^(?=\d)/, '_');
  const base = clean === 'trigger' ? 'trigger_step' : clean;
  let name = base;
  for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${base}_${n}`;
  taken.add(name.toLowerCase());
  if (clean === said && name !== said) {
    // Two of one name: an expression may mean either.
    reading.remarks.push(
      `${shape.path}: the step "${said}" is called ${name} here; expressions that read it have to say so.`,
    );
  } else if (name !== said && !reading.renamed.has(said)) {
    reading.renamed.set(said, { name, path: shape.path });
  }
  return name;
}

const controls: Readonly<Record<string, 'ifelse' | 'switch' | 'parallel' | 'each'>> = {
  ifelse: 'ifelse',
  if: 'ifelse',
  branch: 'ifelse',
  condition: 'ifelse',
  switch: 'switch',
  parallel: 'parallel',
  each: 'each',
  foreach: 'each',
  loop: 'each',
};

function controlOf(shape: Shape): (typeof controls)[string] | undefined {
  const named = (value: unknown): (typeof controls)[string] | undefined =>
    typeof value === 'string'
      ? controls[value.replaceAll(/[_\-\s]/g, '').toLowerCase()]
      : undefined;
  const isKnown = (value: unknown): value is unknown => named(value) !== undefined;
  return named(
    shape.takeIf(isKnown, 'control', 'block_type', 'control_flow', 'block', 'kind', 'type'),
  );
}

function blockOf(control: string, shape: Shape, reading: Reading): Step {
  const made: Step = { control };
  if (control === 'switch' || control === 'each') {
    const on = shape.take('on', 'input', 'value', 'items', 'expression');
    if (on !== undefined) made['on'] = on;
  }
  if (control === 'each') {
    made['steps'] = exportedSteps(shape.take('steps'), `${shape.path}.steps`, reading);
    return made;
  }
  const branches = shape.list('branches', 'cases', 'paths', 'segments') ?? [];
  const otherwise = shape.take('else', 'default', 'otherwise');
  made['branches'] = branches.map((branch, index) =>
    branchOf(new Shape(branch, `${shape.path}.branches[${index}]`), index, control, reading),
  );
  const last = new Shape(
    Array.isArray(otherwise) ? { steps: otherwise } : otherwise,
    `${shape.path}.else`,
  );
  const steps = last.take('steps');
  reading.notUnderstood.push(...last.left);
  if (steps !== undefined) {
    made['else'] = { steps: exportedSteps(steps, `${last.path}.steps`, reading) };
  }
  return made;
}

function branchOf(shape: Shape, index: number, control: string, reading: Reading): Step {
  const said = shape.text('name', 'slug', 'label', 'namespace') ?? `branch_${index + 1}`;
  const name = said.replaceAll(/[.[\]/\\]+/g, '_');
  const given = shape.take('when', 'condition', 'rules', 'rule', 'expression', 'value', 'run');
  const segment = shape.inside('segment');
  const inner = shape.take('steps') ?? segment.take('steps');
  const steps = exportedSteps(inner, `${shape.path}.steps`, reading);
  reading.notUnderstood.push(...shape.left, ...segment.left);
  const when = whenOf(given, control);
  if (when !== undefined) return { name, when, steps };
  reading.remarks.push(
    `${shape.path}: the condition of the branch "${name}" is not understood, and the branch never runs until workflow.yaml has it under "when".`,
  );
  return { name, when: 'never', steps };
}

/** Undefined for a condition of an unknown shape. */
function whenOf(given: unknown, control: string): unknown {
  if (given === undefined && control === 'parallel') return 'always';
  if (isRecord(given)) {
    const rules = isRecord(given['rules']) ? given['rules'] : given;
    return (rules['t'] === 'and' || rules['t'] === 'or') && Array.isArray(rules['r'])
      ? rules
      : undefined;
  }
  if (control === 'switch') return given;
  if (typeof given === 'boolean') return given ? 'always' : 'never';
  const isKnown =
    given === 'always' || given === 'never' || (typeof given === 'string' && given.includes('{{'));
  return isKnown ? given : undefined;
}

interface Language {
  readonly extension: string;
  readonly isRun: boolean;
}

function languageOf(said: string): Language {
  if (/python/i.test(said)) return { extension: 'py', isRun: true };
  if (/bash|shell/i.test(said)) return { extension: 'sh', isRun: true };
  if (/^go/i.test(said)) return { extension: 'go', isRun: false };
  return { extension: /typescript/i.test(said) ? 'ts' : 'js', isRun: true };
}

function actionOf(shape: Shape, namespace: string, reading: Reading): Step {
  const saved = shape.inside('saved_component', 'component');
  const runtime = shape.text('runtime');
  const language = languageOf(shape.text('lang', 'language') ?? runtime ?? 'node');
  const named =
    shape.text('code', 'code_raw', 'source', 'content') ?? saved.text('code', 'code_raw');
  const code = named === undefined ? undefined : (reading.fileAt(named) ?? named);
  const uses = code === undefined ? shape.text('uses') : undefined;
  const key = shape.text('component_key', 'key') ?? saved.text('key', 'component_key');
  const version = saved.text('version') ?? shape.text('version', 'component_version');
  const props = propsOf(shape, saved, reading);
  // The component itself says them.
  saved.list('configurable_props');
  saved.ignore('id', 'code_hash', 'name', 'description', 'type');
  shape.ignore('component_owner_id', 'props_cursor', '_props_cursor');
  reading.notUnderstood.push(...saved.left);
  const rest = {
    ...(runtime !== undefined && { runtime }),
    ...(Object.keys(props).length > 0 && { props }),
  };
  if (code !== undefined) {
    const path = `${namespace}/entry.${language.extension}`;
    reading.files.set(path, code.endsWith('\n') ? code : `${code}\n`);
    return { ...rest, uses: `./${path}` };
  }
  if (uses !== undefined) return { ...rest, uses };
  if (key !== undefined) {
    if (version === undefined) {
      reading.remarks.push(
        `${shape.path}: the export does not say which version of ${key} it was; 0.0.1 stands there now.`,
      );
    }
    return { ...rest, uses: `${key}@${version ?? '0.0.1'}` };
  }
  reading.remarks.push(
    `${shape.path}: the export has neither code nor a component for the step ${namespace}; write its code.`,
  );
  return { ...rest, uses: `./${namespace}/entry.${language.extension}` };
}

function propsOf(shape: Shape, saved: Shape, reading: Reading): Record<string, unknown> {
  const given =
    shape.record('configured_props', 'configured_props_json', 'props', 'params') ??
    saved.record('configured_props');
  const bound = Object.entries(shape.record('app_connections') ?? {}).flatMap(([name, value]) => {
    const bindsTo = (id: string) => [[name, { authProvisionId: id }] as const];
    if (isAccountId(value)) return bindsTo(value);
    const one = new Shape(value, `${shape.path}.app_connections.${name}`);
    const id = one.takeIf(isAccountId, 'authProvisionId', 'id');
    one.ignore('app', 'name', 'name_slug', 'external_id');
    reading.notUnderstood.push(...one.left);
    return id === undefined ? [] : bindsTo(id);
  });
  return { ...Object.fromEntries(bound), ...given };
}

function isAccountId(value: unknown): value is string {
  return typeof value === 'string' && /^apn_\w+$/.test(value);
}
