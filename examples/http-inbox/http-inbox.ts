import { defineSource } from 'weir/component';

/**
 * A source with an endpoint: everything that is posted to it becomes an event.
 *
 *     weir deploy examples/http-inbox/http-inbox.ts
 *     curl -H 'content-type: application/json' -d '{"id": 1, "title": "Hello"}' <the endpoint it printed>
 */
export default defineSource({
  name: 'HTTP Inbox',
  key: 'weir-http-inbox',
  version: '0.1.0',
  description: 'Emits what is posted to its endpoint.',
  type: 'source',
  props: {
    // An HTTP interface: the source gets an endpoint of its own, which stays the same over updates.
    http: '$.interface.http',
  },
  // Called for each request. `event` is the request; the caller has been answered already.
  run(event) {
    const { method, path, body } = event;
    this.$emit(body ?? event.query, {
      // Tells the event from others; here whatever the sender calls it.
      id: body?.id ?? Date.now(),
      // One line for the list of events.
      summary: body?.title ?? `${method} ${path}`,
    });
  },
});
