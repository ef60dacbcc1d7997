import { defineAction } from 'weir/component';

/** What is thrown fails the step: no later one runs, and the execution says why. */
export default defineAction({
  name: 'Total',
  type: 'action',
  props: {
    items: { type: 'any', label: 'Items' },
  },
  run({ $ }) {
    const items = (this.items ?? []) as { name: string; price: number }[];
    if (items.length === 0) throw new Error('An order has one item at least.');
    const total = items.reduce((sum, { price }) => sum + price, 0);
    // The line people see in the list of steps.
    $.export('$summary', `${items.length} items, ${total.toFixed(2)}`);
    // Kept with the execution: later steps read it as `steps.total.$return_value`.
    return total;
  },
});
