import { Worker } from 'node:worker_threads';
import { hostPipes } from '../protocol/host.ts';

/**
 * A thread that ends this process when the runtime is gone, even while component code spins: it
 * sleeps in a read of a pipe that only closes when the runtime's end of it does (house §1, "No
 * orphans").
 */
export function startWatchdog(): void {
  const watch = `
    const { Socket } = require('node:net');
    const end = () => process.kill(process.pid, 'SIGKILL');
    new Socket({ fd: ${hostPipes.watchdog}, readable: true, writable: false })
      .on('error', end).on('close', end).resume();`;
  const worker = new Worker(watch, {
    eval: true,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  });
  worker.unref();
}
