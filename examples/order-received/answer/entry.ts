import { defineAction } from 'weir/component';

export default defineAction({
  name: 'Answer',
  type: 'action',
  props: {
    receipt: { type: 'string', label: 'Receipt' },
  },
  async run({ steps, $ }) {
    // To whoever sent the request.
    await $.respond({ status: 200, headers: { 'content-type': 'text/plain' }, body: this.receipt });
    // An event of the workflow, for its listeners: `weir events order-received`.
    $.send.emit({ raw_event: { order: steps.trigger.event.body.id, receipt: this.receipt } });
  },
});
