/** The JSON Schema of `workflow.yaml` for editors, which complete and explain by it (pure). */
import { z } from 'zod';
import {
  actionSchema,
  blockSchema,
  emitterProps,
  httpProps,
  rulesSchema,
  schemaName,
  settingsSchema,
  stepSchema,
  stepsSchema,
  timerProps,
  triggerSchema,
  workflowSchema,
} from './schema.ts';

const named = {
  workflow: workflowSchema,
  settings: settingsSchema,
  trigger: triggerSchema,
  steps: stepsSchema,
  step: stepSchema,
  action: actionSchema,
  block: blockSchema,
  rules: rulesSchema,
  httpProps,
  timerProps,
  emitterProps,
};

/** The props of a trigger, by its kind. */
const propsByUses = [
  ['$.interface.http', 'httpProps'],
  ['$.interface.timer', 'timerProps'],
  ['subscription', 'emitterProps'],
] as const;

/** JSON Schema 2020-12. */
export function workflowJsonSchema(): object {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/$defs/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      // Unknown keys are kept, and Weir itself reports them.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (zodSchema === (actionSchema as unknown)) {
        // The rules of a filter are all that runs of it.
        jsonSchema.required = ['namespace'];
        jsonSchema.anyOf = [
          { required: ['uses'] },
          { required: ['props'], properties: { props: { required: ['_filter'] } } },
        ];
      }
      if (zodSchema === (triggerSchema as unknown)) {
        jsonSchema.allOf = propsByUses.map(([uses, id]) => ({
          if: { required: ['uses'], properties: { uses: { const: uses } } },
          // oxlint-disable-next-line unicorn/no-thenable -- a key of JSON Schema
          then: { properties: { props: { $ref: `#/$defs/${id}` } } },
        }));
      }
    },
  });
  const definitions = Object.entries(schemas).map(([id, schema]) => {
    const { $schema: _, $id: __, ...rest } = schema as Record<string, unknown>;
    return [id, rest];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Workflow',
    description: 'workflow.yaml of a workflow that Weir runs.',
    type: 'object',
    properties: { schema: { type: 'string', default: schemaName } },
    // Other tools have files of this name too.
    if: {
      required: ['schema'],
      properties: { schema: { type: 'string', pattern: '^workflow/' } },
    },
    // oxlint-disable-next-line unicorn/no-thenable -- a key of JSON Schema
    then: { $ref: '#/$defs/workflow' },
    $defs: Object.fromEntries(definitions) as object,
  };
}
