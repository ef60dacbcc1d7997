export default {
  key: 'debug-add',
  name: 'Debug add',
  version: '0.0.1',
  type: 'action',
  props: { a: { type: 'integer', default: 20 }, b: { type: 'integer', default: 22 } },
  async run(this: { a: number; b: number }, { $ }: { $: { export(k: string, v: unknown): void } }) {
    const sum = this.a + this.b; // stop: run
    $.export('$summary', `The sum is ${sum}`);
    return sum;
  },
};
