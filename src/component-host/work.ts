import type { Trigger, Work } from '../protocol/host.ts';
import type { AskRuntime } from './asks.ts';
import { createStep } from './action-step.ts';
import { additionalProps } from './additional-props.ts';
import type { Component } from './component.ts';
import { exportJson } from './export-json.ts';
import { createInstance, type InstanceTemplate } from './instance.ts';
import type { Invocation } from './invocation.ts';
import { propOptions } from './options.ts';
import type { HostConfiguration } from '../protocol/host.ts';
import { triggerEvent } from './trigger-event.ts';

/** A component that was loaded and configured. */
export interface Live {
  readonly component: Component;
  readonly configuration: HostConfiguration;
  readonly template: InstanceTemplate;
  readonly ask: AskRuntime;
}

/**
 * Calls the piece of the component that is wanted. Resolves to its result as JSON text, if it has one.
 * Everything is awaited, as V8 loses sight of a promise that is only returned: to a debugger its error
 * would be one that is caught.
 */
export async function perform(
  live: Live,
  work: Work,
  invocation: Invocation,
): Promise<string | undefined> {
  if (work.call === 'run') return await runSource(live, work.trigger, invocation);
  if (work.call === 'options') return JSON.stringify(await propOptions(live, work, invocation));
  if (work.call === 'additionalProps') {
    return JSON.stringify(await additionalProps(live, invocation));
  }
  const self = createInstance(live.template, invocation, null);
  if (work.call === 'hook') {
    await live.component.hooks[work.hook]?.call(self);
    return undefined;
  }
  return await runAction(live, self, work.steps, invocation);
}

/** `$.send` goes out when the step is over, however it ended (P13.10). */
async function runAction(
  live: Live,
  self: object,
  steps: Readonly<Record<string, unknown>>,
  invocation: Invocation,
): Promise<string | undefined> {
  const { step, sendAll } = createStep(invocation);
  try {
    const returned = await live.component.run?.call(self, { steps, $: step });
    return exportJson('The return value', returned);
  } finally {
    await sendAll();
  }
}

/** A source without `run` emits the event that triggered it (P1.9). */
async function runSource(live: Live, trigger: Trigger, invocation: Invocation): Promise<undefined> {
  const parsed = triggerEvent(trigger, live.ask);
  const event: unknown = parsed instanceof Promise ? await parsed : parsed;
  const self = createInstance(live.template, invocation, trigger);
  const { run } = live.component;
  if (run === null) (self as { $emit(event: unknown): void }).$emit(event);
  else await run.call(self, event);
}
