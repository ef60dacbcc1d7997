/** What the builder asks of a workflow, its triggers and its steps, beside the props of components (pure). */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import type { Emitter, Path, Values } from './messages.ts';

/** A field and where its value stands, from the thing it belongs to. */
export interface OwnField {
  readonly prop: ConfigurableProp;
  readonly at: Path;
}

const field = (
  at: string,
  type: string,
  label: string,
  more: Partial<ConfigurableProp> = {},
): OwnField => ({
  at: at.split('.'),
  prop: { name: at, type, label, optional: true, ...more },
});

export const workflowFields: readonly OwnField[] = [
  field('name', 'string', 'Name', { optional: false }),
  field('inactive', 'boolean', 'Deployed switched off'),
  field('settings.error_notification', 'boolean', 'Say when it fails'),
  field('settings.lambda_timeout', 'integer', 'Time limit in seconds', { min: 1, max: 750 }),
  field('settings.lambda_memory', 'integer', 'Memory in MB', { min: 128, max: 10_240 }),
  field('settings.auto_retry', 'boolean', 'Try failed executions again'),
  field('settings.data_retention', 'boolean', 'Keep executions'),
  field('settings.concurrency.workers', 'integer', 'Executions at a time', { min: 1, max: 1000 }),
  field('settings.concurrency.key', 'string', 'Executions of one key run in turn'),
  field('settings.throttle.limit', 'integer', 'Throttle: executions', { min: 0, max: 10_000 }),
  field('settings.throttle.interval', 'integer', 'Throttle: in so many units', {
    min: 1,
    max: 10_000,
  }),
  field('settings.throttle.unit', 'string', 'Throttle: unit', {
    options: ['second', 'minute', 'hour'],
  }),
  field('settings.queue_size', 'integer', 'Queue size', { min: 1, max: 10_000 }),
  field('settings.isolate', 'string', 'Processes of their own', { options: ['step'] }),
];

export const triggerKinds = {
  '$.interface.http': 'HTTP request',
  '$.interface.timer': 'Schedule',
  email: 'E-mail',
  subscription: 'Source or workflow',
} as const;

export function triggerFields(uses: unknown, emitters: readonly Emitter[]): readonly OwnField[] {
  if (uses === '$.interface.http') {
    return [
      field('props.response', 'string', 'Answer', { options: ['default', 'static', 'workflow'] }),
      field('props.status', 'integer', 'Status of a static answer', { min: 200, max: 599 }),
      field('props.headers', 'object', 'Headers of a static answer'),
      field('props.body', 'any', 'Body of a static answer'),
      field('props.auth.type', 'string', 'Who may call', { options: ['none', 'token'] }),
      field('props.auth.token', 'string', 'Token', {
        description: 'Better an expression: `{{process.env.TOKEN}}`.',
      }),
    ];
  }
  if (uses === '$.interface.timer')
    return [{ at: ['props'], prop: { name: 'props', type: '$.interface.timer' } }];
  if (uses === 'email') return [];
  return [
    field('props.emitter', 'string', 'Source or workflow', {
      options: emitters.map(({ id, name }) => ({ label: name, value: id })),
    }),
    field('props.event_name', 'string', 'Channel'),
  ];
}

/** Of every step; the name is not among them, as a rename is more than a change of one value. */
export function stepFields(step: Values): readonly OwnField[] {
  const common = [field('notes', 'string', 'Note'), field('disabled', 'boolean', 'Switched off')];
  if (step['control'] === 'each') {
    return [
      field('on', 'any', 'List', { optional: false }),
      field('concurrency', 'integer', 'Items at a time', { min: 1, max: 1000 }),
      ...common,
    ];
  }
  if (step['control'] === 'switch')
    return [field('on', 'any', 'Value that is compared', { optional: false }), ...common];
  if (step['control'] !== undefined) return common;
  return [
    field('uses', 'string', 'Code or component', { optional: false }),
    ...(valueAt(step, ['props', '_filter']) === undefined
      ? []
      : [field('props._filter', 'any', 'Filter', { optional: false })]),
    ...common,
    field('retry.max', 'integer', 'Retries', { min: 0, max: 100 }),
    field('retry.backoff_ms', 'integer', 'Milliseconds before the first retry', {
      min: 0,
      max: 86_400_000,
    }),
    field('on_error', 'string', 'When it fails', { options: ['stop', 'continue'] }),
  ];
}

/** The fields of a branch. */
export const branchFields: readonly OwnField[] = [
  field('name', 'string', 'Name of the branch', { optional: false }),
  field('when', 'any', 'When it runs', {
    optional: false,
    description:
      'An expression, `always`, `never`, of a switch a value; or rules: `{"t": "and", "r": [{"a": "{{event.n}}", "op": "num>", "b": 3}]}`.',
  }),
];

export function valuesOf(own: readonly OwnField[], thing: Values): Values {
  return Object.fromEntries(own.map(({ prop, at }) => [prop.name, valueAt(thing, at)]));
}

export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part))
      return undefined;
    found = (found as Record<PropertyKey, unknown>)[part];
  }
  return found;
}
