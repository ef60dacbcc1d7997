/** JSON Schemas of the catalogue, with every named resource standing once, under its name. */
import * as z from 'zod';
import { resources } from '../../protocol/schemas/catalogue.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface SchemaBook {
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json;
  /** The schemas that the returned ones refer to, by name. */
  readonly named: Record<string, Json>;
}

const home = '#/components/schemas/';

export function createSchemaBook(): SchemaBook {
  const named: Record<string, Json> = {};
  return {
    named,
    schemaOf(schema, io) {
      // In an object of its own, so that a named schema is referred to like any other.
      const holder = z.toJSONSchema(z.object({ it: schema }), {
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => dropSafeBounds(jsonSchema),
      });
      const { properties, $defs } = JSON.parse(
        JSON.stringify(holder).replaceAll('"#/$defs/', `"${home}`),
      ) as { properties: { it: Json }; $defs?: Record<string, Json & { readonly id?: unknown }> };
      for (const [name, { id: _id, ...definition }] of Object.entries($defs ?? {})) {
        named[name] = definition;
      }
      return properties.it;
    },
  };
}

/** That a whole number is one a double can hold says nothing to a reader. */
function dropSafeBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

// Zod refers to what has an id in its registry: `logLine` becomes `LogLine`.
for (const [name, schema] of resources.flatMap((module) => Object.entries(module))) {
  if (!(schema instanceof z.ZodType)) continue;
  const id = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
}
