import * as z from 'zod';
import { flag } from './fields.ts';

/** Where the code of a component comes from: exactly one of these. */
export const origin = {
  component_path: z.string().optional().describe('absolute path of a local file'),
  component_code: z.string().optional(),
  component_url: z.string().optional(),
  component_id: z.string().optional(),
  key: z.string().optional(),
  install: flag
    .optional()
    .describe('whether npm packages it lacks may be installed; the setting decides unless given'),
};
