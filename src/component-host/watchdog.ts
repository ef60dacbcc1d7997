import { Worker } from 'node:worker_threads';
import { hostPipes } from '../protocol/host.ts';

/** Ends this process when the runtime is gone, even while component code spins or stands still. */
export interface Watchdog {
  /**
   * Goes on watching from a process of its own. A debugger shows every thread there is, and nobody
   * who debugs a component wants to see this one.
   */
  moveOut(): Promise<void>;
}

/**
 * A thread that sleeps in a read of a pipe that only closes when the runtime's end of it does
 * (architecture.md, "No orphans").
 */
export function startWatchdog(): Watchdog {
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
  let moved: Promise<void> | undefined;
  return {
    moveOut() {
      moved ??= watchFromOutside(worker);
      return moved;
    },
  };
}

/** It ends by itself when its stdin does, which is when this process is gone. */
async function watchFromOutside(worker: Worker): Promise<void> {
  const watch = `
    const { Socket } = require('node:net');
    const end = () => { process.kill(${process.pid}, 'SIGKILL'); process.exit(); };
    new Socket({ fd: 3, readable: true, writable: false })
      .on('error', end).on('close', end).resume();
    process.stdin.on('error', process.exit).on('end', process.exit).resume();`;
  // Not at the top: few processes are debugged, and every one waits for what it imports.
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, ['--max-old-space-size=16', '-e', watch], {
    stdio: ['pipe', 'ignore', 'ignore', hostPipes.watchdog],
  });
  child.on('error', () => {
    // Without it, only a component that spins after a crash of the runtime outlives it, until the
    // next runtime ends what it finds left over.
  });
  child.unref();
  child.stdin?.on('error', () => {});
  (child.stdin as unknown as { unref?(): void } | null)?.unref?.();
  await worker.terminate();
}
