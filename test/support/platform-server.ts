/** The stand-in for the platform in a process of its own, as an HTTP trigger: `node platform-server.mjs STEP WORLD KEPT`. */
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PlatformWorld, runPlatformStep } from './platform-step.ts';

const [, , step = '', worldFile = '', kept = ''] = process.argv;
const world = JSON.parse(readFileSync(worldFile, 'utf8')) as PlatformWorld;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = decodeURIComponent(request.url ?? '/');
    if (path.startsWith('/file/')) {
      response.end(Buffer.from(world.files?.[path.slice('/file/'.length)] ?? '', 'base64'));
      return;
    }
    const text = Buffer.concat(chunks).toString();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const event = { method: request.method, headers: request.headers, body };
    const code = readFileSync(step, 'utf8');
    void runPlatformStep(code, world, event, (name) => `${origin()}/file/${name}`).then((run) => {
      appendFileSync(kept, `${JSON.stringify(run)}\n`);
      // A person who tests a step sees what it returned.
      if (path === '/test') response.end(JSON.stringify(run));
      else response.writeHead(run.response?.status ?? 200).end(run.response?.body ?? '');
    });
  });
});

function origin(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

server.listen(0, '127.0.0.1', () => console.log(`${process.version} ${origin()}`));
