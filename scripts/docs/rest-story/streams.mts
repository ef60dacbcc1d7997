import type { Chapter } from './story.mts';

export const streams: Chapter = {
  title: 'Streams',
  text: `Server-sent events, also without \`/v1\`: each message's data is one [Event](#event) or [LogLine](#logline), its id the one to
resume after. A stream begins with what comes next; a reader that comes back with \`Last-Event-ID\` (or \`last_event_id\` in the query)
gets everything it missed, without gap or repeat. A new reader can choose where it begins. Events have ids of the form \`<epoch ms>-<number>\`. So \`last_event_id=0-0\` begins with the oldest kept event, and \`1732780800000-0\` with the events since that time. \`0\` begins with the oldest log line. Every 15 seconds there is a comment, to keep proxies from closing the connection.

A reader that falls 8 MB behind, a source that is deleted and a runtime that stops end the stream with an event named \`closed\`, whose
data says why.

A workflow has a stream of the messages that its steps send with \`$.send.sse\`, at the \`stream_url\` of the [Workflow](#workflow). The stream needs no key, and pages of every origin can read it. The channel is the name of the event, the payload its data. A reader gets the newest 100 messages of
each channel first; with \`/<channel>\` behind the address, those of that channel alone.

\`\`\`js
const stream = new EventSource(workflow.stream_url);
stream.addEventListener('progress', ({ data }) => console.log(JSON.parse(data)));
\`\`\``,
  async tell({ showStream, call, post }) {
    const { endpoint_url } = await call('sources.get', { id: 'http-inbox' });
    await showStream('Follow the events of a source', '/v1/sources/{id}/sse', 'http-inbox', () =>
      post(endpoint_url, { id: 3, title: 'Third order' }),
    );
    await showStream(
      'Follow the log of a source',
      '/v1/sources/{id}/logs/sse',
      'tick',
      async () => {
        await call('sources.invoke', { id: 'tick' });
      },
    );
  },
};
