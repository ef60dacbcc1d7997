import { WeirError } from '../../protocol/errors.ts';
import type { FromHost } from '../../protocol/host.ts';
import type { Child } from './child.ts';
import type { Clock } from './deadline.ts';
import type { HostOptions } from './host.ts';
import { LiveHost } from './live-host.ts';
import { loadError } from './load-error.ts';
import { lossOf, type Ending, type Exit } from './loss.ts';

/** Evaluating a module is no place for long work; a host that loads blocks a deploy. */
const longestLoadMs = 60_000;

/**
 * Loads a bundle into a fresh process. A process whose code failed to load, took too long or was no
 * longer wanted is ended.
 * @throws WeirError `bad_component`, `cancelled`
 */
export function loadInto(
  child: Child,
  options: HostOptions,
  redirects: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<LiveHost> {
  const { promise, resolve, reject } = settleable<LiveHost>();
  let ending: Ending | null = null;
  let ended: Exit['ended'] = null;
  const timeoutMs = Math.min(longestLoadMs, options.limits.timeoutMs);
  const cancelTimeout = clock.after(timeoutMs, () => {
    ended = { cause: 'timeout', n: 0, timeoutMs };
    child.kill();
  });
  const abort = (): void => {
    reject(new WeirError('cancelled', 'Starting the component was cancelled.'));
    child.kill();
  };
  const message = (message: FromHost): void => {
    if (message.t === 'loaded') {
      resolve(new LiveHost(child, message.definition, options, clock));
    } else if (message.t === 'loadFailed') {
      reject(loadError(message.error));
      child.kill();
    } else if (message.t === 'progress') {
      options.onLog?.(message.logs ?? []);
    } else if (message.t === 'ending') {
      ending = message;
    }
  };
  child.listen({
    message,
    gone(exit) {
      const memoryMb = options.limits.memoryMb;
      const loss = lossOf({ ...exit, ending, ended, memoryMb }, 0, true);
      const detail = {
        message: loss.message,
        ...(loss.stack === undefined ? {} : { stack: loss.stack }),
      };
      const text = `The component cannot be loaded: while its file was evaluated, ${sentence(loss.message)}.`;
      reject(new WeirError('bad_component', text, [detail]));
    },
  });
  options.signal?.addEventListener('abort', abort, { once: true });
  child.send({ t: 'load', bundle: options.bundle, redirects });
  if (options.signal?.aborted === true) abort();
  return promise.finally(() => {
    cancelTimeout();
    options.signal?.removeEventListener('abort', abort);
  });
}

/** Loss messages are said of a run: "called process.exit(1)", "its process was ended by SIGKILL". */
function sentence(message: string): string {
  return /^(its|an) /.test(message) ? message : `it ${message}`;
}

function settleable<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: Error) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
