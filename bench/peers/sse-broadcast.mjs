/**
 * The baseline of the event stream: what is posted goes to everybody who listens, and is kept
 * nowhere. The message is built once for all.
 */
import { createServer } from 'node:http';

const readers = new Set();
let sequence = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(':ok\n\n');
    readers.add(response);
    response.on('close', () => readers.delete(response));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const event = JSON.parse(Buffer.concat(chunks).toString());
    sequence += 1;
    const message = `id: ${sequence}\ndata: ${JSON.stringify({ event })}\n\n`;
    for (const reader of readers) reader.write(message);
    response.writeHead(200, { 'content-length': 0 });
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
