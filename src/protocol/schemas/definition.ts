/** The messages of a component's process about its component: the part of their form that everybody relies on. */
import * as z from 'zod';
import type { ComponentDefinition } from '../definition.ts';
import type { AdditionalPropsResult, OptionsResult } from '../host.ts';
import { valueOfJson } from '../json-text.ts';

const text = z.string().nullable();

// Their other keys are as the author wrote them.
const props = z.array(z.looseObject({ name: z.string(), type: z.string() }));

const definition = z.object({
  name: z.string(),
  key: text,
  type: z.enum(['source', 'action', 'app']),
  version: text,
  description: text,
  dedupe: text,
  props,
  hooks: z.array(z.enum(['deploy', 'activate', 'deactivate'])),
  hasRun: z.boolean(),
  hasAdditionalProps: z.boolean(),
});

const options = z.object({ options: z.array(z.looseObject({ label: z.string() })) });
const propSet = z.object({ props, dynamic: z.array(z.string()) });

/** @returns undefined for what is not a definition */
export function readDefinition(json: string): ComponentDefinition | undefined {
  return read(definition, json) as ComponentDefinition | undefined;
}

/** The result of `options` work. @returns undefined if it is not a valid result */
export function readOptions(json: string): OptionsResult | undefined {
  return read(options, json) as OptionsResult | undefined;
}

/** The result of `additionalProps` work. @returns undefined if it is not a valid result */
export function readPropSet(json: string): AdditionalPropsResult | undefined {
  return read(propSet, json) as AdditionalPropsResult | undefined;
}

/** The result of `eventNames` work: null if the prop asks for all. @returns undefined if it is not a valid result */
export function readEventNames(json: string): readonly string[] | null | undefined {
  return read(z.array(z.string()).nullable(), json) as readonly string[] | null | undefined;
}

/** Returns the value as it was written, not as a schema parses it: keys may have any name. */
function read(schema: z.ZodType, json: string): unknown {
  const value = valueOfJson(json);
  return schema.safeParse(value).success ? value : undefined;
}
