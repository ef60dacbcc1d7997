import { greeting } from '../lib/greeting.ts';

export default defineComponent({
  props: { customer: { type: 'string' } },
  async run({ steps, $ }) {
    const text = greeting(this.customer); // stop: greet
    console.log('greeted', steps.check.$return_value);
    $.export('$summary', text);
    return text;
  },
});
