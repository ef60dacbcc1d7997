import { z } from 'zod';
import { appDefinition } from './schema.ts';

/** The JSON Schema of definitions of apps, for editors. */
export function appJsonSchema(): unknown {
  return { title: 'App of Weir', ...z.toJSONSchema(appDefinition, { io: 'input' }) };
}
