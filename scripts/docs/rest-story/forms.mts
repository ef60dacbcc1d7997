import type { Chapter } from './story.mts';

const withOptions =
  "export default { name: 'Stock', props: { shop: { type: 'string', options: () => ['Berlin', 'Oslo'] } }, run() {} }";
const withMore =
  "export default { name: 'Stock', props: { kind: { type: 'string', reloadProps: true } }, " +
  "additionalProps() { return { size: { type: 'integer', label: `Size of the ${this.kind}` } } }, run() {} }";

export const forms: Chapter = {
  title: 'Forms',
  text: 'What a program needs that asks a person for the props of a component.',
  async tell({ show }) {
    await show('Ask a prop for its options', 'components.configure', {
      component_code: withOptions,
      prop_name: 'shop',
    });
    await show('Ask for the props that a choice brings', 'components.props', {
      component_code: withMore,
      configured_props: { kind: 'box' },
    });
  },
};
