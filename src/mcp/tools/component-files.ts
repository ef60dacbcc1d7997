/** Tools that read and write the file of a component, for agents that have none of their own. */
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import { type Tool, tool } from '../tool.ts';

export const componentFileTools: readonly Tool[] = [
  tool({
    name: 'read_component',
    title: 'Read the file of a component',
    description: 'Read the file of a component, with the hash that write_component asks for.',
    input: catalogue['component_files.read'].input,
    does: 'reads',
    scope: 'deploy',
    run: async (args, { call }) => ({
      operation: 'component_files.read',
      data: await call('component_files.read', args),
    }),
  }),
  tool({
    name: 'write_component',
    title: 'Write the file of a component',
    description:
      'Write the file of a component in the folder of the runtime. To change one that is there, give the hash that read_component or the last write_component told as "replaces". Runs and deploys nothing.',
    input: catalogue['component_files.write'].input,
    does: 'writes',
    run: async (args, { call }) => ({
      operation: 'component_files.write',
      data: await call('component_files.write', args),
    }),
  }),
];
