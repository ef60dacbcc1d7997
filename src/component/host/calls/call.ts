import type { Trigger, Work } from '../../../protocol/host.ts';
import { createInstance, type ConfiguredComponent } from '../instance/instance.ts';
import { toJson } from '../json.ts';
import type { Invocation } from '../output/invocation.ts';
import { runAction } from './action.ts';
import { additionalProps } from './additional-props.ts';
import { eventNames } from './event-names.ts';
import { propOptions } from './options.ts';
import { triggerEvent } from './trigger-event.ts';

/**
 * Calls the part of the component that the work is for. Resolves to its result as JSON text, if it
 * has one. Everything is awaited, as V8 loses track of a promise that is only returned: a debugger
 * would consider its error caught.
 */
export async function callComponent(
  component: ConfiguredComponent,
  work: Exclude<Work, { readonly call: 'step' | 'block' | 'event' | 'value' }>,
  invocation: Invocation,
): Promise<string | undefined> {
  if (work.call === 'run') return await runSource(component, work.trigger, invocation);
  if (work.call === 'options') {
    return toJson(await propOptions(component, work, invocation));
  }
  if (work.call === 'additionalProps') {
    return toJson(await additionalProps(component, invocation));
  }
  if (work.call === 'eventNames') {
    return toJson(await eventNames(component, work.prop, invocation));
  }
  const self = createInstance(component, invocation, null);
  if (work.call === 'hook') {
    await component.hooks[work.hook]?.call(self);
    return undefined;
  }
  return await runAction(component, self, work.steps, invocation);
}

/** A source without `run` emits the event that triggered it (P1.9). */
async function runSource(
  component: ConfiguredComponent,
  trigger: Trigger,
  invocation: Invocation,
): Promise<undefined> {
  const parsed = triggerEvent(trigger, component.askRuntime);
  const event: unknown = parsed instanceof Promise ? await parsed : parsed;
  const self = createInstance(component, invocation, trigger);
  const { run } = component;
  if (run === null) (self as { $emit(event: unknown): void }).$emit(event);
  else await run.call(self, event);
}
