import type { ComponentDefinition, ConfigurableProp } from '../../../../src/protocol/definition.ts';

/** A source with these props; anything else as given. */
export function definition(
  props: readonly ConfigurableProp[],
  rest: Partial<ComponentDefinition> = {},
): ComponentDefinition {
  return {
    name: 'Test',
    key: null,
    type: 'source',
    version: null,
    description: null,
    dedupe: null,
    props,
    hooks: [],
    hasRun: true,
    hasAdditionalProps: false,
    ...rest,
  };
}
