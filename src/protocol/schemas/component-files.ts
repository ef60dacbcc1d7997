import * as z from 'zod';
import { operation } from './operation.ts';

const path = z
  .string()
  .min(1)
  .describe(
    'of a .ts, .mts, .cts, .js, .mjs or .cjs file: in the folder that the data folder lies in, and relative to it, or absolute; nothing in node_modules or a folder whose name begins with a dot',
  );
const hash = z.string().describe('SHA-256 of the file, hex');

export const componentFile = z.object({
  path: z.string().describe('absolute'),
  code: z.string(),
  hash,
});

export const operations = {
  'component_files.read': operation({
    // A caller who may read runs may not therefore read files on the disk.
    scope: 'deploy',
    summary: 'Read the file of a component, with the hash that component_files.write asks for',
    input: z.object({ path }),
    output: componentFile,
    rest: [{ method: 'GET', path: '/v1/component-files' }],
  }),
  'component_files.write': operation({
    scope: 'deploy',
    summary:
      'Write the file of a component, a new one or instead of what was read; a file that is another one by now is a conflict',
    input: z.object({
      path,
      code: z.string().max(1_000_000).describe('all of the new file'),
      replaces: hash
        .optional()
        .describe('hash of the file whose place it takes; without one there must be no file yet'),
    }),
    output: componentFile
      .omit({ code: true })
      .extend({ created: z.boolean().describe('whether it is a new file') }),
    rest: [{ method: 'PUT', path: '/v1/component-files' }],
  }),
};
