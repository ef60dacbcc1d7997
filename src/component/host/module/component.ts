import type { ComponentDefinition } from '../../../protocol/definition.ts';
import type { HookName } from '../../../protocol/host.ts';
import { own } from '../../../protocol/own.ts';
import { toData } from '../json.ts';
import {
  ComponentError,
  isDictionary,
  isMethod,
  kindOf,
  type Dictionary,
  type Method,
} from '../values.ts';
import { propData, resolveProps, type ResolvedProp } from './props.ts';

/** The component that a bundle exports: its data for the runtime, its functions for this process. */
export interface LoadedComponent {
  readonly definition: ComponentDefinition;
  readonly props: ReadonlyMap<string, ResolvedProp>;
  readonly methods: Dictionary;
  readonly hooks: Readonly<Partial<Record<HookName, Method>>>;
  readonly run: Method | null;
  readonly additionalProps: Method | null;
}

const hookNames = ['deploy', 'activate', 'deactivate'] as const;

/**
 * Checks what a file exports by default.
 * @throws ComponentError when it is not a component, or one that cannot work
 */
export function readComponent(
  authored: unknown,
  defaultType: 'source' | 'action' = 'source',
): LoadedComponent {
  if (!isDictionary(authored)) {
    throw new ComponentError(
      `The file exports no component: its default export is ${kindOf(authored)}. Write "export default { name, props, run… }".`,
    );
  }
  const type = typeOf(authored, defaultType);
  const run = optionalMethod(authored, 'run');
  const additionalProps = optionalMethod(authored, 'additionalProps');
  const props = type === 'app' ? new Map<string, ResolvedProp>() : resolveProps(authored['props']);
  if (run === null && type === 'action') {
    throw new ComponentError('The action has no run(): add "async run({ $ }) { … }".');
  }
  if (run === null && type === 'source' && props.size === 0) {
    throw new ComponentError(
      'The default export is not a component: it has neither run() nor props. Write "export default { name, props, run… }".',
    );
  }
  const hooks = hooksOf(authored['hooks']);
  return {
    props,
    run,
    additionalProps,
    hooks,
    methods: isDictionary(authored['methods']) ? authored['methods'] : {},
    definition: {
      name: text(authored['name']) ?? text(authored['app']) ?? '',
      key: text(authored['key']),
      type,
      version: text(authored['version']),
      description: text(authored['description']),
      dedupe: text(authored['dedupe']),
      props: Array.from(props.values(), propData),
      hooks: hookNames.filter((name) => hooks[name] !== undefined),
      hasRun: run !== null,
      hasAdditionalProps: additionalProps !== null,
      ...optionalData(authored, 'sampleEmit'),
      ...optionalData(authored, 'annotations'),
    },
  };
}

/** A component without `type` is a source (P1.1), or an action as a step of a workflow. */
function typeOf(
  authored: Dictionary,
  defaultType: 'source' | 'action',
): ComponentDefinition['type'] {
  const type = authored['type'] ?? defaultType;
  if (type === 'source' || type === 'action' || type === 'app') return type;
  throw new ComponentError(
    `"type" must be "source" or "action", not ${typeof type === 'string' ? `"${type}"` : kindOf(type)}.`,
  );
}

function optionalMethod(authored: Dictionary, name: string): Method | null {
  const method = authored[name];
  if (method === undefined || method === null) return null;
  if (isMethod(method)) return method;
  throw new ComponentError(`"${name}" must be a function, not ${kindOf(method)}.`);
}

function hooksOf(authored: unknown): LoadedComponent['hooks'] {
  if (authored === undefined || authored === null) return {};
  if (!isDictionary(authored)) {
    throw new ComponentError(`"hooks" must be an object, not ${kindOf(authored)}.`);
  }
  const hooks: Partial<Record<HookName, Method>> = {};
  for (const name of hookNames) {
    const hook = own(authored, name);
    if (hook === undefined || hook === null) continue;
    if (!isMethod(hook)) {
      throw new ComponentError(`The hook "${name}" must be a function, not ${kindOf(hook)}.`);
    }
    hooks[name] = hook;
  }
  return hooks;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function optionalData<N extends 'sampleEmit' | 'annotations'>(
  authored: Dictionary,
  name: N,
): Pick<ComponentDefinition, N> | undefined {
  const data = toData(authored[name]);
  return data === undefined ? undefined : ({ [name]: data } as Pick<ComponentDefinition, N>);
}
