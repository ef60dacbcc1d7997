/** A component host that is none: it keeps to the protocol as far as a test wants it to. */
import { resolve } from 'node:path';
import { component } from '../hosts-helper.ts';

const definition = {
  name: 'Hostile',
  key: null,
  type: 'source',
  version: null,
  description: null,
  dedupe: null,
  props: [],
  hooks: [],
  hasRun: true,
  hasAdditionalProps: false,
};

const codec = (file: string) => JSON.stringify(resolve('src/protocol/message-pack', file));

/**
 * Its entry file. It loads whatever it is told to, and then does for each piece of work what `onWork`
 * says: JavaScript that knows `n`, `event`, `send(...messages)` for a batch, `frame(value)` and `framed(bytes)`,
 * `write(bytes)` for bytes as they are, and `next()`, the number of the next batch.
 * @param onLoad the same in place of what a host sends when it has loaded
 */
export function hostileHost(onWork: string, onLoad = 'send(loaded);'): string {
  return component(
    `const { decode } = require(${codec('decode.ts')});
    const { encode } = require(${codec('encode.ts')});
    const { writeSync } = require('node:fs');
    const channel = new (require('node:net').Socket)({ fd: 3 });
    let q = 0;
    const next = () => (q += 1);
    const framed = (body) => {
      const head = Buffer.alloc(4);
      head.writeUInt32BE(body.length);
      return Buffer.concat([head, body]);
    };
    const frame = (value) => framed(encode(value));
    const write = (bytes) => channel.write(bytes);
    const send = (...m) => write(frame({ q: next(), m }));
    const loaded = { t: 'loaded', definition: ${JSON.stringify(JSON.stringify(definition))} };
    const receive = (message) => {
      if (message.t === 'load') { ${onLoad} }
      if (message.t === 'end') process.exit(0);
      if (message.t === 'work') {
        const { n } = message;
        const event = JSON.parse(message.work.trigger.json);
        ${onWork}
      }
    };
    let rest = Buffer.alloc(0);
    channel.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
        const end = 4 + rest.readUInt32BE(0);
        for (const message of decode(rest.subarray(4, end)).m) receive(message);
        rest = rest.subarray(end);
      }
    });
    channel.on('close', () => process.exit(0));
    send({ t: 'ready' });`,
    '.cjs',
  );
}
