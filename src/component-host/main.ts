/**
 * The entry of a component host: the process in which one component's code runs. It is forked by the
 * runtime (src/runtime/hosts) with an IPC channel and the two pipes of `hostPipes`.
 */
import { writeSync } from 'node:fs';
import { hostPipes, type Batch, type FromHost, type ToHost } from '../protocol/host.ts';
import { captureConsole } from './console.ts';
import { Context } from './context.ts';
import { ComponentHost } from './host.ts';
import { Inspection } from './inspect.ts';
import { Invocation } from './invocation.ts';
import { Outbox } from './outbox.ts';
import { setTraps } from './traps.ts';
import { Unguarded } from './unguarded.ts';
import { startWatchdog } from './watchdog.ts';

const inspection = new Inspection(startWatchdog());
process.setSourceMapsEnabled(true);

// What `process.exit` ends in; component code gets one that says so first.
const { reallyExit } = process as unknown as { reallyExit(this: void, code: number): never };
const endProcess = (code: number): never => {
  // Else the exit would wait until the debugger has detached itself.
  inspection.close();
  return reallyExit(code);
};
const send = process.send?.bind(process);
if (send === undefined) throw new Error('A component host is forked by the runtime.');

const outbox = new Outbox({
  send(batch: Batch<FromHost>, sent: () => void): void {
    // An error means that the runtime is gone, and the watchdog knows what to do.
    send(batch, undefined, undefined, () => sent());
  },
  lastWords(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(hostPipes.lastWords, bytes, at);
  },
});
const context = new Context(new Invocation(0, outbox, null));
const unguarded = new Unguarded();
const host = new ComponentHost(context, outbox, inspection, unguarded);

process.on('message', (batch: Batch<ToHost>) => {
  for (const message of batch.m) {
    if (message.t === 'end') endProcess(0);
    else host.receive(message);
  }
});
process.on('disconnect', () => endProcess(0));
// Libraries take `process.send` for a sign that they were forked by a friend.
Reflect.deleteProperty(process, 'send');

setTraps(context, outbox, unguarded, endProcess);
captureConsole(context, inspection);
outbox.post({ t: 'ready' });
