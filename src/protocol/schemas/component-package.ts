/**
 * The key `weir` in the `package.json` of a published package: `weir publish` writes it, and Weir reads it before
 * anything of the package is run. npm defines the other keys of the file.
 */
import * as z from 'zod';

/** Path of a file in the package: with "/", and inside of it. */
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
