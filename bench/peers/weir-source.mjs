/** What Weir runs: parse the body (the runtime has), emit it. */
export default {
  key: 'bench-http-trigger',
  name: 'Bench: HTTP trigger',
  version: '0.0.1',
  type: 'source',
  props: { http: '$.interface.http' },
  run(event) {
    this.$emit(event.body, { summary: event.body.id });
  },
};
