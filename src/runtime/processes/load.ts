import { messageWithCauses } from '../../protocol/error-causes.ts';
import { fileURLToPath } from 'node:url';
import { type ErrorDetail, WeirError } from '../../protocol/errors.ts';
import type { ThrownError } from '../../protocol/host.ts';
import { readDefinition } from '../../protocol/schemas/definition.ts';
import type { Clock } from '../base/clock.ts';
import type { Child } from './child.ts';
import type { HostOptions } from './host.ts';
import { LiveHost } from './live-host.ts';
import { toProcessExit, type Exit, type ExitReport } from './process-exit.ts';

/** A deploy waits while a module is evaluated, so that must not take long. */
const longestLoadMs = 60_000;

/** A signal from outside ended the process while it loaded, the out-of-memory killer's among them. */
export class EndedFromOutside extends WeirError {}

/**
 * Loads a bundle into a new process. If that fails, takes too long or is cancelled, the process is ended.
 * @throws WeirError `bad_component`, as `EndedFromOutside` when the component has no part in it;
 * `cancelled`; `internal` when no process could be started
 */
export function loadInto(
  child: Child,
  options: HostOptions,
  redirects: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<LiveHost> {
  const { limits, signal } = options;
  const settled = new AbortController();
  const timeoutMs = Math.min(longestLoadMs, limits.timeoutMs);
  let killed: Exit['killed'] = null;
  let report: ExitReport | null = null;
  const expire = (): void => {
    killed = { cause: 'timeout', n: 0, timeoutMs };
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
    let printed = 0;
    child.observe({
      message(message, size) {
        printed += size;
        if (message.t === 'loaded') {
          const definition = readDefinition(message.definition);
          if (definition === undefined) giveUp(noDefinition());
          else resolve(new LiveHost(child, definition, options, clock));
        } else if (printed > 2e6 * limits.outputMb) {
          killed ??= { cause: 'output', n: 0, outputMb: limits.outputMb };
          child.kill();
        } else if (message.t === 'loadFailed') {
          giveUp(loadError(message.error));
        } else if (message.t === 'progress') {
          options.onLog?.(message.logs ?? []);
        } else if (message.t === 'inspector' && message.url !== null) {
          options.debug?.opened(message.url);
        } else if (message.t === 'attached') {
          options.debug?.attached();
        } else if (message.t === 'ending') {
          report = message;
        }
      },
      exited(exit) {
        const facts = { ...exit, report, killed, memoryMb: limits.memoryMb };
        reject(child.pid === undefined ? notStarted(exit.stderr) : endedLoading(facts));
      },
    });
    child.send({
      t: 'load',
      bundle: options.bundle,
      redirects,
      outputMb: limits.outputMb,
      debug: options.debug !== undefined,
      ...(options.dry !== undefined && { dry: options.dry }),
      ...(options.recordsRequests === true && { recordsRequests: true }),
    });
    signal?.addEventListener('abort', abort, { once: true, signal: settled.signal });
    if (signal?.aborted === true) abort();
  });
  return loading.finally(() => {
    cancelTimeout?.();
    settled.abort();
  });
}

function noDefinition(): WeirError {
  return new WeirError(
    'bad_component',
    'The component cannot be loaded: what its process says that the file exports is not a component.',
  );
}

function notStarted(stderr: string): WeirError {
  return new WeirError(
    'internal',
    `No process could be started for the component: ${stderr.trim()}`,
  );
}

/** The messages of losses are written for runs: "called process.exit(1)", "its process was ended by SIGKILL". */
function endedLoading(exit: Exit): WeirError {
  const { cause, atFault, message, stack } = toProcessExit(exit, 0, true);
  const sentence = /^(its|an) /.test(message) ? message : `it ${message}`;
  const Ended = cause === 'signal' && !atFault ? EndedFromOutside : WeirError;
  return new Ended(
    'bad_component',
    `The component cannot be loaded: while its file was evaluated, ${sentence}.`,
    [{ message, ...(stack === undefined ? {} : { stack }) }],
  );
}

/** Why a bundle could not be loaded, as an error for its author, with the place when it is known. */
export function loadError(error: ThrownError): WeirError {
  // An error that the host itself found in a component is a whole sentence already.
  const message =
    error.name === 'ComponentError'
      ? error.message
      : `${error.name}: ${messageWithCauses({ ...error, message: withoutBundle(error.message) })}`;
  const place = error.stack === undefined ? undefined : placeOf(error.stack);
  const detail: ErrorDetail = {
    message,
    ...place,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
  };
  // The reader has never seen the folder where a package is installed; the detail has the whole path.
  const shown = place?.file.replace(/^.*[/\\]node_modules[/\\]/, '');
  const where = place === undefined ? '' : ` (${shown}:${place.line})`;
  return new WeirError('bad_component', `The component cannot be loaded: ${message}${where}`, [
    detail,
  ]);
}

/** Node names the file that looked for a module in vain: the bundle, which the author has never seen. */
function withoutBundle(message: string): string {
  const lookedIn =
    /^(Cannot find (?:package|module) '[^']*')(?:\nRequire stack:\n[^]*| imported from .+)$/;
  return message.replace(lookedIn, '$1');
}

interface CodePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `at name (/path/file.mjs:1:2)`, the path plain or as a file URL. */
const frame = /^\s+at (?:.* \()?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):(\d+):(\d+)\)?$/;

/** A longer line is not a frame, and searching it could take very long. */
const longestFrame = 4096;

/** The first frame of a stack that is in a file. */
export function placeOf(stack: string): CodePosition | undefined {
  for (const text of stack.split('\n')) {
    const [, found, line, column] = (text.length <= longestFrame && frame.exec(text)) || [];
    const file = found === undefined ? undefined : pathOf(found);
    if (file === undefined) continue;
    return {
      file,
      line: Number(line),
      // V8 counts columns from 1, ErrorDetail from 0.
      column: Number(column) - 1,
    };
  }
  return undefined;
}

/** A stack is text that a component can write: undefined for a URL that is no path. */
function pathOf(file: string): string | undefined {
  if (!file.startsWith('file://')) return file;
  try {
    return fileURLToPath(file);
  } catch {
    return undefined;
  }
}
