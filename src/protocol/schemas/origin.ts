import * as z from 'zod';
import { flag } from './fields.ts';

/** P17.1 and P17.2 say which of several counts. */
const given = z
  .string()
  .min(1, 'it is empty; give one of component_path, component_code, component_id or key');

/** The origin of a component's code. */
export const origin = {
  component_path: given.optional().describe('absolute path of a local file'),
  component_code: given.optional().describe('text: an ES module, CommonJS or TypeScript'),
  component_url: given.optional().describe('page of a file in a repository, as a browser shows it'),
  component_id: given.optional().describe('sc_… of a saved component'),
  key: given
    .optional()
    .describe('of a component that was published here, or a reference of one in a registry'),
  install: flag
    .optional()
    .describe('whether npm packages it lacks may be installed; the setting decides unless given'),
};
