export default defineComponent({
  props: { customer: { type: 'string', optional: true } },
  async run({ $ }) {
    if (this.customer === undefined) throw new Error('An order has a customer.');
    $.export('$summary', `an order of ${this.customer}`); // stop: check
    return { customer: this.customer };
  },
});
