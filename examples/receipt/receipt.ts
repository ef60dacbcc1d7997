import { defineAction } from 'weir/component';

/**
 * An action without the web: makes a text of an order. A step of the workflow in examples/order-received.
 *
 *     weir run examples/receipt/receipt.ts --prop title=Tea --prop total=4.5
 */
export default defineAction({
  name: 'Receipt',
  key: 'weir-receipt',
  version: '0.1.0',
  description: 'Writes items and their total as a text.',
  type: 'action',
  props: {
    title: { type: 'string', label: 'Title' },
    total: { type: 'any', label: 'Total' },
    items: { type: 'any', label: 'Items', optional: true },
  },
  run({ $ }) {
    const items = (this.items ?? []) as { name: string; price: number }[];
    const lines = items.map(({ name, price }) => `${name}: ${price.toFixed(2)}`);
    $.export('$summary', this.title);
    return [this.title, ...lines, `Total: ${Number(this.total).toFixed(2)}`].join('\n');
  },
});
