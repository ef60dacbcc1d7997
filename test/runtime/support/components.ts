/** Components that tests of the CLI deploy. */

/** Props of several types, a secret one, a timer; fails when its event says so. */
export const greeter = `export default {
  name: 'Greeter', version: '0.0.1',
  props: {
    city: { type: 'string', label: 'City' },
    token: { type: 'string', secret: true },
    count: { type: 'integer', optional: true },
    tags: { type: 'string[]', optional: true },
    timer: { type: '$.interface.timer', default: { intervalSeconds: 3600 } },
  },
  run(event) {
    if (event.fail) throw new Error('as you wish');
    console.log('hello ' + this.city);
    this.$emit({ city: this.city, count: this.count, tags: this.tags }, { summary: 'Hello \\u001b[31m' + this.city });
  },
}`;

/** Emits the body of a request, on the channel that it names. */
export const inbox = `export default {
  name: 'Inbox', props: { http: '$.interface.http' },
  run({ body }) { this.$emit(body, { name: body.channel }) },
}`;
