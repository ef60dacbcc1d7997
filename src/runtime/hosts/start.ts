import { WeirError } from '../../protocol/errors.ts';
import type { Child } from './child.ts';
import type { ElapsedClock } from './deadline.ts';
import type { HostOptions } from './host.ts';
import { LiveHost } from './live-host.ts';
import { loadError } from './load-error.ts';
import { lossOf, type Ending, type Exit } from './loss.ts';

/** Evaluating a module is no place for long work; a host that loads blocks a deploy. */
const longestLoadMs = 60_000;

/**
 * Loads a bundle into a fresh process. A process whose code failed to load, took too long or was no
 * longer wanted is ended.
 * @throws WeirError `bad_component`, `cancelled`; `internal` when no process could be started
 */
export function loadInto(
  child: Child,
  options: HostOptions,
  redirects: Readonly<Record<string, string>>,
  clock: ElapsedClock,
): Promise<LiveHost> {
  const { limits, signal } = options;
  const settled = new AbortController();
  const timeoutMs = Math.min(longestLoadMs, limits.timeoutMs);
  let ended: Exit['ended'] = null;
  let ending: Ending | null = null;
  const expire = (): void => {
    ended = { cause: 'timeout', n: 0, timeoutMs };
    child.kill();
  };
  // Under a debugger a person decides how long it takes.
  const cancelTimeout = options.debug === undefined ? clock.after(timeoutMs, expire) : undefined;
  const loading = new Promise<LiveHost>((resolve, reject) => {
    const giveUp = (error: WeirError): void => {
      reject(error);
      child.kill();
    };
    const abort = (): void => {
      giveUp(new WeirError('cancelled', 'Starting the component was cancelled.'));
    };
    child.listen({
      message(message) {
        if (message.t === 'loaded') {
          resolve(new LiveHost(child, message.definition, options, clock));
        } else if (message.t === 'loadFailed') {
          giveUp(loadError(message.error));
        } else if (message.t === 'progress') {
          options.onLog?.(message.logs ?? []);
        } else if (message.t === 'inspector' && message.url !== null) {
          options.debug?.opened(message.url);
        } else if (message.t === 'attached') {
          options.debug?.attached();
        } else if (message.t === 'ending') {
          ending = message;
        }
      },
      gone(exit) {
        const facts = { ...exit, ending, ended, memoryMb: limits.memoryMb };
        reject(child.pid === undefined ? notStarted(exit.stderr) : endedLoading(facts));
      },
    });
    child.send({
      t: 'load',
      bundle: options.bundle,
      redirects,
      debug: options.debug !== undefined,
    });
    signal?.addEventListener('abort', abort, { once: true, signal: settled.signal });
    if (signal?.aborted === true) abort();
  });
  return loading.finally(() => {
    cancelTimeout?.();
    settled.abort();
  });
}

function notStarted(stderr: string): WeirError {
  return new WeirError(
    'internal',
    `No process could be started for the component: ${stderr.trim()}`,
  );
}

/** Loss messages are said of a run: "called process.exit(1)", "its process was ended by SIGKILL". */
function endedLoading(exit: Exit): WeirError {
  const { message, stack } = lossOf(exit, 0, true);
  const sentence = /^(its|an) /.test(message) ? message : `it ${message}`;
  return new WeirError(
    'bad_component',
    `The component cannot be loaded: while its file was evaluated, ${sentence}.`,
    [{ message, ...(stack === undefined ? {} : { stack }) }],
  );
}
