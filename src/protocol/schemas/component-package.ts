/**
 * What the `package.json` of a published package says of the components in it, under `weir`: `weir publish` writes it, and
 * whoever looks for components reads it before anything of the package is run. What else the file has is npm's.
 */
import * as z from 'zod';

/** Of a file in the package: with "/", and inside of it. */
const file = z
  .string()
  .regex(/^(?!\/)[^\\]+$/, 'is not a path in the package')
  .refine((path) => path.split('/').every((part) => !['', '.', '..'].includes(part)), {
    error: 'leaves the package',
  });

const slug = z.string().regex(/^[a-z0-9_]+$/i, 'is not a slug of an app');

export const packagedComponent = z.object({
  file,
  type: z.enum(['source', 'action']),
  version: z.string().describe('of the component, which is not that of the package'),
  name: z.string(),
  description: z.string().optional(),
  apps: z.array(slug).default([]).describe('whose accounts it asks for'),
  hosts: z.array(z.string()).default([]).describe('that its code names; "*." stands for any'),
});

/** Further keys are for later versions: who reads them as well leaves them alone. */
export const componentPackage = z.looseObject({
  schema: z.literal(1),
  components: z.record(z.string(), packagedComponent).describe('by key'),
  apps: z
    .record(slug, file)
    .optional()
    .describe('files that define how accounts of an app connect, by slug'),
});

export type PackagedComponent = z.infer<typeof packagedComponent>;
export type ComponentPackage = z.infer<typeof componentPackage>;
