import * as z from 'zod';
import { flag } from './fields.ts';

/** Where the code of a component comes from: exactly one of these. */
export const origin = {
  component_path: z.string().optional().describe('absolute path of a local file'),
  component_code: z.string().optional().describe('text: an ES module, CommonJS or TypeScript'),
  component_url: z.string().optional().describe('not read by this version'),
  component_id: z.string().optional().describe('sc_… of a saved component'),
  key: z.string().optional().describe('of a component that was published here'),
  install: flag
    .optional()
    .describe('whether npm packages it lacks may be installed; the setting decides unless given'),
};
