/** The builder's own fields for a workflow, its triggers and its steps, besides the props of components (pure). */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { textOf } from '../prop-form/values.ts';
import type { Emitter, Path, Values } from './messages.ts';

/** A field and the place of its value, relative to its owner. */
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
  field('inactive', 'boolean', 'Inactive when deployed'),
  field('settings.error_notification', 'boolean', 'Notify me when it fails'),
  field('settings.lambda_timeout', 'integer', 'Time limit in seconds', { min: 1, max: 750 }),
  field('settings.lambda_memory', 'integer', 'Memory in MB', { min: 128, max: 10_240 }),
  field('settings.auto_retry', 'boolean', 'Retry failed executions'),
  field('settings.data_retention', 'boolean', 'Keep executions'),
  field('settings.concurrency.workers', 'integer', 'Executions at the same time', {
    min: 1,
    max: 1000,
  }),
  field('settings.concurrency.key', 'string', 'Executions of one key run in turn', {
    description: 'An expression over the event, such as `{{event.body.customer}}`.',
  }),
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

type TriggerUses = keyof typeof triggerKinds;

const usesOfPrefix: Readonly<Record<string, TriggerUses>> = {
  hi: '$.interface.http',
  ti: '$.interface.timer',
  ei: 'email',
  dc: 'subscription',
  sub: 'subscription',
  p: 'subscription',
};

/**
 * The kind of a trigger by `uses`, otherwise by its id; undefined for a source of the platform, and for an unknown one.
 */
export function kindOfTrigger({ uses, id }: Values): TriggerUses | undefined {
  if (uses === undefined) return usesOfPrefix[textOf(id).split('_')[0] ?? ''];
  return typeof uses === 'string' && Object.hasOwn(triggerKinds, uses)
    ? (uses as TriggerUses)
    : undefined;
}

const triggerId = field('id', 'string', 'ID', {
  description: 'Only for workflows that came from Pipedream.',
});

export function triggerFields(trigger: Values, emitters: readonly Emitter[]): readonly OwnField[] {
  return [...triggerProps(kindOfTrigger(trigger), emitters), triggerId];
}

function triggerProps(
  kind: TriggerUses | undefined,
  emitters: readonly Emitter[],
): readonly OwnField[] {
  if (kind === '$.interface.http') {
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
  if (kind === '$.interface.timer')
    return [{ at: ['props'], prop: { name: 'props', type: '$.interface.timer' } }];
  if (kind === 'email') return [];
  if (kind === undefined) return [field('props', 'any', 'Props')];
  return [
    field('props.emitter', 'string', 'Source or workflow', {
      optional: false,
      options: emitters.map(({ id, name }) => ({ label: name, value: id })),
    }),
    field('props.event_name', 'string', 'Channel', {
      description: 'Such as `$errors`; the events that have none when left out.',
    }),
  ];
}

/** Fields of every step; the name is not among them, because a rename is more than a change of one value. */
export function stepFields(step: Values): readonly OwnField[] {
  const common = [
    field('notes', 'string', 'Note', { description: 'For readers; Markdown.' }),
    // The same key in older files.
    ...(step['note'] === undefined ? [] : [field('note', 'string', 'Older note')]),
    field('disabled', 'boolean', 'Skip this step'),
  ];
  if (step['control'] === 'each') {
    return [
      field('on', 'any', 'List', {
        optional: false,
        description: `Its steps run for each item, and read it as \`steps.${textOf(step['namespace'])}.item\`.`,
      }),
      field('concurrency', 'integer', 'Items at the same time', { min: 1, max: 1000 }),
      ...common,
    ];
  }
  if (step['control'] === 'switch')
    return [field('on', 'any', 'Value that is compared', { optional: false }), ...common];
  if (step['control'] !== undefined) return common;
  // The rules of a filter have an editor of their own, and no code.
  const code = field('uses', 'string', 'Code or component', { optional: false });
  return [
    ...(valueAt(step, ['props', '_filter']) === undefined ? [code] : []),
    ...common,
    field('retry.max', 'integer', 'Retries', { min: 0, max: 100 }),
    field('retry.backoff_ms', 'integer', 'Milliseconds before the first retry', {
      min: 0,
      max: 86_400_000,
    }),
    field('on_error', 'string', 'If it fails', { options: ['stop', 'continue'] }),
  ];
}

/** The fields of a branch; when it runs has an editor of its own. */
export const branchFields: readonly OwnField[] = [
  field('name', 'string', 'Name of the branch', { optional: false }),
];

export const elseFields: readonly OwnField[] = [
  field('disabled', 'boolean', 'Skip this branch', { optional: false }),
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
