import * as z from 'zod';
import { componentPackage } from './component-package.ts';
import { done, seconds } from './fields.ts';
import { operation } from './operation.ts';
import { origin } from './origin.ts';
import { pageOf, paging } from './page.ts';

export const configurableProp = z.looseObject({ name: z.string(), type: z.string() });

export const component = z.object({
  id: z.string().describe('sc_…'),
  key: z.string().nullable(),
  name: z.string(),
  version: z.string().nullable(),
  type: z.enum(['source', 'action', 'app']),
  description: z.string().nullable(),
  code_hash: z.string().describe('SHA-256 of what runs, hex'),
  path: z.string().nullable().describe('file it was made from'),
  configurable_props: z.array(configurableProp),
  created_at: seconds,
  updated_at: seconds,
});

/** With the text of its own file, as it was saved. */
export const componentWithCode = component.extend({ code: z.string() });

export const operations = {
  'components.inspect': operation({
    scope: 'deploy',
    summary:
      'Bundle and evaluate a file, or what was saved, and return its definition; deploys nothing',
    input: z.object({
      component_path: origin.component_path,
      component_id: origin.component_id,
      component_url: origin.component_url,
      key: origin.key,
      install: origin.install,
    }),
    output: z.object({
      name: z.string(),
      key: z.string().nullable(),
      type: z.enum(['source', 'action', 'app']),
      version: z.string().nullable(),
      description: z.string().nullable(),
      dedupe: z.string().nullable(),
      code_hash: z.string(),
      configurable_props: z.array(configurableProp),
      sample_emit: z.unknown().optional().describe('an event as the component would emit it'),
      annotations: z
        .record(z.string(), z.unknown())
        .optional()
        .describe(
          'what its author says that it does: readOnlyHint, destructiveHint, openWorldHint',
        ),
      has_additional_props: z.boolean().describe('components.props may make others of the values'),
      warnings: z.array(z.string()),
    }),
  }),
  'components.list': operation({
    scope: 'read',
    summary: 'List saved components',
    input: z.object({ ...paging }),
    output: pageOf(component),
    rest: [{ method: 'GET', path: '/v1/users/me/components' }],
  }),
  'components.publish': operation({
    scope: 'deploy',
    summary:
      'Save a source or action under its key, for deploy and run by key; the same version again is a conflict',
    input: z.object(origin),
    output: componentWithCode,
    rest: [{ method: 'POST', path: '/v1/components' }],
  }),
  'components.pack': operation({
    scope: 'deploy',
    summary:
      'Make the npm package of a file or folder, as a registry would get it, or say all that it lacks; publishes nothing',
    input: z.object({
      component_path: z
        .string()
        .describe('absolute: a component, or a folder with package.json, of which it takes all'),
    }),
    output: z.object({
      name: z.string(),
      version: z.string(),
      folder: z.string().describe('of its package.json'),
      manifest: z
        .looseObject({ publishConfig: z.looseObject({ access: z.string().optional() }).optional() })
        .describe('package.json as it is published, with the map of components in weir'),
      weir: componentPackage,
      files: z.array(z.object({ path: z.string(), size: z.number().int(), data: z.base64() })),
    }),
  }),
  'components.get': operation({
    scope: 'read',
    summary: 'One saved component, by its id or the key it is published under',
    input: z.object({ id: z.string().describe('sc_… or key') }),
    output: componentWithCode,
    rest: [{ method: 'GET', path: '/v1/components/{id}' }],
  }),
  'components.unpublish': operation({
    scope: 'deploy',
    summary: 'Take a key away; what was deployed from it stays',
    input: z.object({ id: z.string().describe('key, or sc_… of what is published') }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/components/{id}' }],
  }),
};
