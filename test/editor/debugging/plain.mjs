const started = Date.now(); // stop: top level

export default {
  key: 'debug-plain',
  name: 'Debug plain',
  version: '0.0.1',
  type: 'source',
  props: { http: '$.interface.http' },
  sampleEmit: { path: '/sample' },
  async run(event) {
    const seen = { path: event.path, started }; // stop: run
    this.$emit(seen);
  },
};
