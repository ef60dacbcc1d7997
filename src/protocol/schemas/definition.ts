/** What a component's process says that its file exports: as much of its form as everybody relies on. */
import * as z from 'zod';
import type { ComponentDefinition } from '../definition.ts';

const text = z.string().nullable();

const schema = z.object({
  name: z.string(),
  key: text,
  type: z.enum(['source', 'action', 'app']),
  version: text,
  description: text,
  dedupe: text,
  // Their other keys are as the author wrote them.
  props: z.array(z.looseObject({ name: z.string(), type: z.string() })),
  hooks: z.array(z.enum(['deploy', 'activate', 'deactivate'])),
  hasRun: z.boolean(),
  hasAdditionalProps: z.boolean(),
});

/** @returns undefined for what is not a definition */
export function readDefinition(json: string): ComponentDefinition | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  return schema.safeParse(value).success ? (value as ComponentDefinition) : undefined;
}
