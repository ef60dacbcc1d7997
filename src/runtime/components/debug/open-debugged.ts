import { WeirError } from '../../../protocol/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Components, Deployment, Runnable } from '../deployments/deployment.ts';
import type { Host, HostOptions } from '../../processes/host.ts';
import type { Debugged } from '../../processes/debugged.ts';
import type { DebugSession, Entry } from './session.ts';
import type { BaseServices } from '../../base/services.ts';

export interface OpenDebuggedOptions extends Pick<BaseServices, 'clock'> {
  readonly components: Components;
  /** How long a process waits for a debugger before it is started without one, in ms. */
  readonly waitMs: number;
  /** A process waits for a debugger. */
  readonly opened: (debugged: Debugged) => void;
}

/** Starts a process of a session: it waits for a debugger before it imports the bundle. */
export async function openDebugged(
  session: DebugSession,
  deployment: Runnable,
  wanted: Omit<HostOptions, 'bundle'>,
  options: OpenDebuggedOptions,
): Promise<Host> {
  const { components, clock, waitMs } = options;
  const noDebugger = new AbortController();
  const signals = wanted.signal === undefined ? [] : [wanted.signal];
  let entry: Entry | undefined;
  let stopWaiting: (() => void) | undefined;
  const gone = (): void => {
    stopWaiting?.();
    if (entry !== undefined) session.remove(entry);
  };
  try {
    const host = await components.open(deployment, {
      ...wanted,
      signal: AbortSignal.any([...signals, noDebugger.signal]),
      debug: {
        opened(url) {
          entry = session.add({ target: session.target, url, folder: deployment.folder });
          entry.abandon = () => noDebugger.abort();
          stopWaiting = clock.after(waitMs, entry.abandon);
          if (!session.mayWait) entry.abandon();
          else options.opened(entry.debugged);
        },
        attached() {
          stopWaiting?.();
          if (entry !== undefined) entry.abandon = undefined;
        },
      },
      onEnd(loss) {
        gone();
        wanted.onEnd?.(loss);
      },
    });
    if (entry !== undefined) entry.host = host;
    if (session.ended) await host.inspect(false);
    return host;
  } catch (error) {
    gone();
    if (!noDebugger.signal.aborted || wanted.signal?.aborted === true) throw error;
    // No debugger came, or the client that wanted one is gone: the component runs without.
    const host = await components.open(deployment, wanted);
    try {
      await openInspector(session, host, deployment, options);
      return host;
    } catch (refused) {
      // Nobody else knows of it.
      host.kill('no debugger could attach to it');
      throw refused;
    }
  }
}

/**
 * Lets a debugger attach to a process that runs already; it does not wait for one.
 * @throws WeirError `conflict` when its code blocks the process
 */
export async function openInspector(
  session: DebugSession,
  host: Host,
  { folder }: Pick<Deployment, 'folder'>,
  { opened, clock }: Pick<OpenDebuggedOptions, 'opened' | 'clock'>,
): Promise<void> {
  const url = session.ended ? null : await inspectorOf(host, clock);
  if (url === null) return;
  const entry = session.add({ target: session.target, url, folder });
  entry.host = host;
  if (session.ended) await host.inspect(false);
  else opened(entry.debugged);
}

/** A process that does not answer for this long is in a loop, or blocked, in ms. */
const busyMs = 5000;

function inspectorOf(host: Host, clock: Pick<Clock, 'after'>): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const stopWaiting = clock.after(busyMs, () => {
      const { name } = host.definition;
      // When it answers again, its inspector is no longer wanted.
      void host.inspect(false);
      reject(
        new WeirError(
          'conflict',
          `No debugger can attach to ${name} now: its code is in a loop, or blocks its process. Wait for its time limit or restart the runtime, then debug it again.`,
        ),
      );
    });
    void host.inspect(true).then((url) => {
      stopWaiting();
      resolve(url);
    });
  });
}
