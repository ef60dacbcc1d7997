/** Tools that make something of code: look at it, ask what it wants to know, deploy it. */
import * as z from 'zod';
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import { withAllowedAccounts } from '../allowed-accounts.ts';
import { briefSource, briefWorkflow } from '../brief.ts';
import { uriOf } from '../documents.ts';
import { type Tool, tool } from '../tool.ts';

const { shape: deploy } = catalogue['sources.deploy'].input;
const { shape: form } = catalogue['components.configure'].input;
const { shape: workflow } = catalogue['workflows.deploy'].input;

const { component_path, component_code, component_id, key } = deploy;
const install = z
  .boolean()
  .optional()
  .describe('true installs npm packages that it lacks; only when the user wants that');
/** Exactly one of these is given. */
const code = { component_path, component_code, component_id, key };
const props = deploy.configured_props.describe(
  'values by prop; an app prop as {"authProvisionId": "apn_…"}, never with credentials',
);

export const componentTools: readonly Tool[] = [
  tool({
    name: 'inspect_component',
    title: 'Inspect a component',
    description:
      'Bundle and evaluate a source or action and return its definition: name, type, props, warnings. Deploys nothing, but runs what the module runs when it is loaded.',
    input: z.object({ component_path, component_id, install }),
    does: 'evaluates',
    run: async (args, { call }) => ({
      operation: 'components.inspect',
      data: await call('components.inspect', args),
    }),
  }),
  tool({
    name: 'configure_component',
    title: 'Ask a component about its props',
    description:
      'With prop_name: the options that this prop has, given the values so far. Without: all props as additionalProps() makes them of the values.',
    input: z.object({
      id: form.id,
      ...code,
      configured_props: props,
      prop_name: z.string().min(1).optional().describe('whose options are asked for'),
      query: form.query,
      page: form.page,
      prev_context: form.prev_context,
    }),
    does: 'evaluates',
    run: async ({ prop_name, query, page, prev_context, ...asked }, caller) => {
      const { call } = caller;
      const allowed = await withAllowedAccounts(asked, asked.configured_props, caller);
      const of = { ...asked, ...allowed };
      return prop_name === undefined
        ? { operation: 'components.props', data: await call('components.props', of) }
        : {
            operation: 'components.configure',
            data: await call('components.configure', {
              ...of,
              prop_name,
              query,
              page,
              prev_context,
            }),
          };
    },
  }),
  tool({
    name: 'deploy_source',
    title: 'Deploy a source',
    description:
      'Deploy a source from a file, its code or a published key; answers with its id and endpoint. Runs its deploy and activate hooks.',
    input: z.object({
      ...code,
      name: deploy.name,
      configured_props: props,
      hooks: z.boolean().optional().describe('false leaves the deploy hook out'),
      install,
    }),
    does: 'adds',
    run: async (args, caller) => {
      const allowed = await withAllowedAccounts(args, args.configured_props, caller);
      const source = await caller.call('sources.deploy', { ...args, ...allowed });
      return {
        operation: 'sources.deploy',
        uri: uriOf('sources', source.id),
        data: briefSource(source),
      };
    },
  }),
  tool({
    name: 'update_source',
    title: 'Update a source',
    description:
      'Give a deployed source other code, values of props, a name, or switch it on or off. Without code it keeps what it has.',
    input: z.object({
      id: catalogue['sources.update'].input.shape.id,
      ...code,
      name: deploy.name,
      configured_props: catalogue['sources.update'].input.shape.configured_props,
      active: z.boolean().optional().describe('false: it keeps its data and does not run'),
      install,
    }),
    does: 'replaces',
    run: async (args, caller) => {
      const allowed = await withAllowedAccounts(args, args.configured_props, caller);
      const source = await caller.call('sources.update', { ...args, ...allowed });
      return {
        operation: 'sources.update',
        uri: uriOf('sources', source.id),
        data: briefSource(source),
      };
    },
  }),
  tool({
    name: 'deploy_workflow',
    title: 'Deploy a workflow',
    description: catalogue['workflows.deploy'].summary,
    input: z.object({ workflow_path: workflow.workflow_path, install }),
    does: 'replaces',
    run: async (args, { call }) => {
      const deployed = await call('workflows.deploy', args);
      return {
        operation: 'workflows.deploy',
        uri: uriOf('workflows', deployed.id),
        data: { ...briefWorkflow(deployed), warnings: deployed.warnings },
      };
    },
  }),
];
