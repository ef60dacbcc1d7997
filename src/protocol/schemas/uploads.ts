import * as z from 'zod';
import { operation } from './operation.ts';

/** Most files of one upload. */
export const maxUploadFiles = 2000;
/** Most bytes of them together. */
export const maxUploadBytes = 32 * 1024 * 1024;

const file = z.object({
  path: z.string().describe('below the folder of the project, with /'),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'is not an SHA-256')
    .describe('SHA-256 of its bytes, hex'),
  content: z.string().optional().describe('Base64; left out while the runtime may have it'),
});

const project = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'may have small letters, digits and - only')
  .describe('whose files they are; the same one each time');

const folder = z
  .string()
  .describe(
    'absolute path of the project, on the machine of the runtime; it need not be there yet',
  );

export const operations = {
  'uploads.locate': operation({
    scope: 'read',
    summary: 'Where the runtime keeps what is uploaded of a project',
    input: z.object({ project }),
    output: z.object({ folder }),
  }),
  'uploads.put': operation({
    scope: 'deploy',
    summary:
      'Keep files of another machine to deploy from: the answer names the missing files, which the next call sends',
    input: z.object({
      project,
      files: z.array(file).min(1).max(maxUploadFiles),
      folders: z
        .array(z.string())
        .optional()
        .describe('of the project; what is in them and not among the files is removed'),
    }),
    output: z.object({
      folder,
      missing: z
        .array(z.string())
        .describe('paths without content that are not here as such; nothing was written'),
    }),
  }),
};
