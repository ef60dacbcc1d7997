/**
 * A workflow as the platform's project export and its REST API have it (pure). Neither has a published schema, so
 * values are found by shape, and what was not understood is named by its path.
 */
import { isRecord } from '../../../protocol/record.ts';
import { exportedSteps } from './exported-steps.ts';
import { exportedTriggers } from './exported-triggers.ts';
import type { Reading } from './reading.ts';
import { expressionsOf, mentions, renamedInCode, renamedInValues } from './renamed-steps.ts';
import { recordOf, Shape } from './shape.ts';

/** In the words of `workflow.yaml`. */
export interface ExportedWorkflow {
  /** `p_…` */
  readonly id: string | undefined;
  readonly name: string;
  readonly inactive: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly triggers: readonly Readonly<Record<string, unknown>>[];
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  /** The code of steps, by its path below the workflow's folder. */
  readonly files: ReadonlyMap<string, string>;
  /** One sentence each: what a person has to check. */
  readonly remarks: readonly string[];
  /** One sentence each: what was changed, and still runs. */
  readonly notes: readonly string[];
  /** Paths into the JSON. */
  readonly notUnderstood: readonly string[];
}

/**
 * @param value the JSON of one workflow, in an envelope or not
 * @returns undefined when it has neither steps nor triggers: it is no workflow
 */
export function exportedWorkflow(
  value: unknown,
  fallbackName: string,
  fileAt: Reading['fileAt'] = () => undefined,
): ExportedWorkflow | undefined {
  const found = unwrapped(value, '');
  if (found === undefined) return undefined;
  const { record, path, beside } = found;
  const reading: Reading = {
    files: new Map(),
    remarks: [],
    renamed: new Map(),
    notUnderstood: [],
    fileAt,
  };
  const shape = new Shape(record, path);
  const settings = shape.inside('settings');
  const name = shape.text('name', 'title', 'workflow_name') ?? settings.text('name');
  const slug = shape.text('slug', 'name_slug');
  const id = shape.text('id', 'workflow_id');
  const active = shape.flag('active', 'enabled');
  const inactive = shape.flag('inactive', 'disabled', 'paused');
  const triggers = exportedTriggers(
    shape.take('triggers', 'trigger'),
    below(path, 'triggers'),
    reading,
  );
  const written = exportedSteps(shape.take('steps'), below(path, 'steps'), reading);
  const { steps, files, notes, remarks } = followRenames(written, reading);
  const howItRuns = settingsOf(settings);
  reading.notUnderstood.push(...beside, ...shape.left, ...howItRuns.left);
  return {
    id: id !== undefined && /^p_[0-9A-Za-z]+$/.test(id) ? id : undefined,
    name: name ?? slug ?? fallbackName,
    inactive: active === false || inactive === true,
    settings: howItRuns.known,
    triggers,
    steps,
    files,
    notes,
    remarks: [...reading.remarks, ...remarks],
    notUnderstood: reading.notUnderstood,
  };
}

interface Renamed extends Pick<ExportedWorkflow, 'steps' | 'files' | 'notes' | 'remarks'> {}

/** Expressions and code read the new names. */
function followRenames(written: ExportedWorkflow['steps'], { files, renamed }: Reading): Renamed {
  const names = new Map([...renamed].map(([old, { name }]) => [old, name]));
  if (names.size === 0) return { steps: written, files, notes: [], remarks: [] };
  const steps = renamedInValues(written, names);
  const changed = new Map([...files].map(([path, code]) => [path, renamedInCode(code, names)]));
  const texts = [...changed.values(), ...expressionsOf(steps)];
  const notes: string[] = [];
  const remarks: string[] = [];
  for (const [old, { name, path }] of renamed) {
    const said = `${path}: the step "${old}" is called ${name} here`;
    const isLeft = texts.some((text) => mentions(text, old));
    if (isLeft) remarks.push(`${said}; "${old}" still stands in code or an expression.`);
    else notes.push(`${said}, and what reads it was changed.`);
  }
  return { steps, files: changed, notes, remarks };
}

/** Envelopes that are known to be used: REST answers in `data`, and some of them not. */
const envelopes = ['data', 'workflow', 'definition', 'pipeline'];

interface Unwrapped {
  readonly record: Readonly<Record<string, unknown>>;
  readonly path: string;
  /** Paths of the other members of its envelopes. */
  readonly beside: readonly string[];
}

function unwrapped(value: unknown, path: string): Unwrapped | undefined {
  if (!isRecord(value)) return undefined;
  if (Array.isArray(value['steps']) || Array.isArray(value['triggers'])) {
    return { record: value, path, beside: [] };
  }
  for (const name of envelopes) {
    const found = unwrapped(recordOf(value[name]), below(path, name));
    if (found === undefined) continue;
    const others = Object.keys(value).filter((key) => key !== name);
    return { ...found, beside: [...others.map((key) => below(path, key)), ...found.beside] };
  }
  return undefined;
}

export function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

interface ReadSettings {
  /** In the words of `workflow.yaml`. */
  readonly known: Readonly<Record<string, unknown>>;
  /** Paths of what was not understood. */
  readonly left: readonly string[];
}

function settingsOf(settings: Shape): ReadSettings {
  const concurrency = settings.inside('concurrency');
  const throttle = throttleOf(settings.inside('throttle', 'throttling'));
  const workers =
    settings.number('workers', 'max_workers', 'num_workers', 'concurrency_limit') ??
    concurrency.number('workers', 'max_workers', 'num_workers', 'limit');
  const all = {
    error_notification: settings.flag('error_notification', 'error_notifications'),
    lambda_timeout: settings.number('lambda_timeout', 'timeout', 'timeout_seconds'),
    lambda_memory: settings.number('lambda_memory', 'memory', 'memory_mb'),
    auto_retry: settings.flag('auto_retry'),
    data_retention: settings.flag('data_retention'),
    concurrency: workers === undefined ? undefined : { workers },
    throttle: throttle.known,
    queue_size:
      settings.number('queue_size', 'max_queue_size') ??
      concurrency.number('queue_size', 'max_queue_size'),
  };
  return {
    known: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    left: [...settings.left, ...concurrency.left, ...throttle.left],
  };
}

/** Known where it says both how many and in which time: half of it is no throttle. */
function throttleOf(throttle: Shape): {
  readonly known: Readonly<Record<string, unknown>> | undefined;
  readonly left: readonly string[];
} {
  const whole = throttle.left.length === 0 ? [] : [throttle.path];
  const isUnit = (value: unknown): value is string =>
    typeof value === 'string' && ['second', 'minute', 'hour'].includes(unitIn(value));
  const limit = throttle.number('limit', 'max', 'executions');
  const interval = throttle.number('interval', 'period') ?? 1;
  const unit = throttle.takeIf(isUnit, 'unit', 'interval_unit', 'per');
  if (limit === undefined || unit === undefined) return { known: undefined, left: whole };
  return { known: { limit, interval, unit: unitIn(unit) }, left: throttle.left };
}

/** `minute` of `Minutes`. */
function unitIn(word: string): string {
  return word.toLowerCase().replace(/s$/, '');
}
