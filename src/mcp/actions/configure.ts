import * as z from 'zod';
import { WeirError } from '../../protocol/errors.ts';
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import { type Tool, tool } from '../tool.ts';
import { bound, type OfferedAction, valuesOf } from './offered.ts';
import { configureName, inputSchema } from './schema.ts';

const { shape } = catalogue['components.configure'].input;

/** The tool by which a model asks an action what it takes, given the values so far. */
export function configureTool(offered: readonly OfferedAction[]): Tool {
  return tool({
    name: configureName,
    title: 'Ask an action what it takes',
    description:
      'With prop_name: the options of this prop of an action, given the values so far. Without: the next schema, with the props that follow from the values. Runs code of the action, but not the action.',
    input: z.object({
      action: z.string().min(1).describe('name of its tool'),
      values: z.record(z.string(), z.unknown()).optional().describe('values by prop, so far'),
      prop_name: z.string().min(1).optional().describe('whose options are asked for'),
      query: shape.query,
      page: shape.page,
      prev_context: shape.prev_context,
    }),
    does: 'evaluates',
    run: async ({ action, values, prop_name, query, page, prev_context }, caller) => {
      const { call } = caller;
      const found = offered.find((one) => one.tool.name === action);
      if (found === undefined) {
        throw new WeirError(
          'not_found',
          `There is no action "${action}", or it is not allowed here.`,
        );
      }
      const { origin, definition, rules } = found;
      const props = definition.configurable_props;
      const user = await bound(props, rules, caller);
      const configured_props = { ...valuesOf(props, values), ...user.values };
      const of = { ...origin, configured_props, ...user.only };
      if (prop_name === undefined) {
        const { configurable_props, errors } = await call('components.props', of);
        const schema = inputSchema(configurable_props, definition.has_additional_props);
        return { operation: 'components.props', data: { input_schema: schema, errors } };
      }
      const { options, context, errors } = await call('components.configure', {
        ...of,
        prop_name,
        ...(query !== undefined && { query }),
        ...(page !== undefined && { page }),
        ...(prev_context !== undefined && { prev_context }),
      });
      return {
        operation: 'components.configure',
        data: { options, prev_context: context, errors },
      };
    },
  });
}
