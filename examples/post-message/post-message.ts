import { defineAction } from 'weir/component';

/**
 * An action: does one thing when it is run.
 *
 *     weir run examples/post-message/post-message.ts --prop url=https://example.com/hook --prop text=Hello
 */
export default defineAction({
  name: 'Post Message',
  key: 'weir-post-message',
  version: '0.1.0',
  description: 'Posts a text to a URL as JSON.',
  type: 'action',
  props: {
    url: { type: 'string', label: 'URL' },
    text: { type: 'string', label: 'Text' },
    tags: { type: 'string[]', label: 'Tags', optional: true },
  },
  async run({ $ }) {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: this.text, tags: this.tags ?? [] }),
    });
    if (!response.ok) throw new Error(`${this.url} answered ${response.status}`);
    // The line people see when the step is done.
    $.export('$summary', `Posted ${this.text.length} characters`);
    // What is returned is the step's `$return_value`.
    return { status: response.status };
  },
});
