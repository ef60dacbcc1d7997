export default {
  key: 'hello-webhook',
  name: 'Hello webhook',
  description: 'Emits every request it gets.',
  version: '0.0.1',
  type: 'source',
  props: {
    http: { type: '$.interface.http', customResponse: true },
    greeting: { type: 'string', label: 'Greeting', description: 'What the caller gets back.' },
  },
  async run(event) {
    this.http.respond({ status: 200, body: { greeting: this.greeting } });
    this.$emit(event.body, {
      id: `${event.body.id}`,
      summary: `Order ${event.body.id} from ${event.body.customer}`,
      ts: Date.now(),
    });
  },
};
