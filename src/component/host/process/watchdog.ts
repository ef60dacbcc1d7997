import { Worker } from 'node:worker_threads';
import { hostPipes } from '../../../protocol/host.ts';

/** Ends this process when the runtime is gone, even while component code loops or is paused. */
export interface Watchdog {
  /**
   * Goes on watching from a process of its own: a debugger shows every thread, and this one would be
   * in the way of somebody who debugs a component.
   */
  moveToOwnProcess(): Promise<void>;
}

/**
 * A thread that waits in a read of a pipe, which closes only when the runtime's end of it does (architecture.md,
 * "No orphans").
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
    moveToOwnProcess() {
      moved ??= watchFromOwnProcess(worker);
      return moved;
    },
  };
}

/** The watching process ends when its stdin does, which is when this process is gone. */
async function watchFromOwnProcess(worker: Worker): Promise<void> {
  const watch = `
    const { Socket } = require('node:net');
    const end = () => { process.kill(${process.pid}, 'SIGKILL'); process.exit(); };
    new Socket({ fd: 3, readable: true, writable: false })
      .on('error', end).on('close', end).resume();
    process.stdin.on('error', process.exit).on('end', process.exit).resume();`;
  // Imported here because few processes are debugged, and all of them would wait for it.
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, ['--max-old-space-size=16', '-e', watch], {
    stdio: ['pipe', 'ignore', 'ignore', hostPipes.watchdog],
  });
  child.on('error', () => {
    // Without the watchdog only a component in an endless loop outlives a crash of the runtime, until
    // the next runtime ends the processes that were left behind.
  });
  child.unref();
  child.stdin?.on('error', () => {});
  (child.stdin as unknown as { unref?(): void } | null)?.unref?.();
  await worker.terminate();
}
