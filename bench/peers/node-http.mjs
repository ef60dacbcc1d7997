/** The baseline: node:http alone, nothing between the request and the handler. */
import { createServer } from 'node:http';

const events = [];

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    events.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(200, { 'content-length': 0 });
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
