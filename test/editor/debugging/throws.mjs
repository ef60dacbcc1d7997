export default {
  key: 'debug-throws',
  name: 'Debug throws',
  version: '0.0.1',
  type: 'source',
  props: { http: '$.interface.http' },
  methods: {
    read(text) {
      const tried = [text]; // stop: restart
      try {
        return JSON.parse(tried[0]); // stop: caught
      } catch {
        return null;
      }
    },
  },
  async run(event) {
    const read = this.read('{');
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (event.body.fail) throw new Error(`nothing was read: ${read}`); // stop: uncaught
    this.$emit(read);
  },
};
