import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Entry } from '../test/ledger.mts';

/** A test of the editor: its full title, and the top-level suite that runs it again with its neighbors. */
export interface EditorTest {
  readonly title: string;
  readonly suite: string;
}

/** What the suite inside the extension host reports to the driver, as JSON lines over a local socket. */
export type Report =
  /** `tests` are all that will run. */
  | { t: 'start'; pid: number; about: string; tests: readonly EditorTest[] }
  | ({ t: 'test' } & EditorTest)
  | ({ t: 'pass'; ms: number } & EditorTest)
  /** A test or a hook. */
  | ({ t: 'fail'; error: string } & EditorTest)
  /** `reason` is empty when the test does not give one. */
  | ({ t: 'skip'; reason: string } & EditorTest)
  /** `runtime` is the pid of the runtime that still runs, for the driver's own last test. */
  | { t: 'end'; runtime: number | null };

/** What the driver says to the one suite that it wants to run. */
export const go = 'go';

export interface Outcome {
  /** Pid of the extension host, which stays until {@link Reporter.release}. */
  readonly extensionHost: number;
  readonly runtime: number | null;
}

export interface ReporterOptions {
  readonly print: (line: string) => void;
  /** Takes each outcome as it comes. */
  readonly write: (entry: Entry) => void;
  /** A workbench that reports nothing for so long is stuck, in ms. */
  readonly stallMs: number;
}

export interface Reporter {
  readonly port: number;
  /** Settles with the suite: rejects when the extension host ends without a word, or is stuck. */
  readonly outcome: Promise<Outcome>;
  /** Lets the suite's process go on to its end. */
  release(): void;
}

/** Listens for one suite, prints its reports and writes them to the ledger. */
export async function listen(options: ReporterOptions): Promise<Reporter> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let connected: Socket | undefined;
  let watch: NodeJS.Timeout | undefined;
  const outcome = new Promise<Outcome>((resolve, reject) => {
    /** A slow machine is no failure, so nothing limits the whole: mocha limits each test, and this the silence. */
    const progress = (running: string): void => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        const minutes = options.stallMs / 60_000;
        reject(new Error(`The editor is stuck: ${running} did not end within ${minutes} minutes.`));
      }, options.stallMs);
      watch.unref();
    };
    progress('the start of the editor');
    server.on('connection', (socket) => {
      // Windows that the tests open have an extension host each, and run no tests.
      if (connected !== undefined) return void socket.destroy();
      connected = socket;
      socket.write(go);
      follow(socket, options, progress).then(resolve, reject);
    });
  });
  const watched = outcome.finally(() => clearTimeout(watch));
  // An editor that does not start is reported by itself.
  watched.catch(() => {});
  return {
    port: (server.address() as AddressInfo).port,
    outcome: watched,
    release() {
      clearTimeout(watch);
      connected?.end();
      server.close();
    },
  };
}

async function follow(
  socket: Socket,
  { print, write }: ReporterOptions,
  progress: (running: string) => void,
): Promise<Outcome> {
  let printed = '';
  let extensionHost = 0;
  socket.on('error', () => socket.destroy());
  for await (const line of createInterface({ input: socket })) {
    const report = JSON.parse(line) as Report;
    if (report.t === 'end') return { extensionHost, runtime: report.runtime };
    if (report.t === 'start') {
      extensionHost = report.pid;
      print(report.about);
      for (const test of report.tests) write({ t: 'planned', ...test });
      progress('the first test');
      continue;
    }
    const { title, suite } = report;
    progress(title);
    if (suite !== printed) print(`\n  ${suite}`);
    printed = suite;
    const short = title.startsWith(`${suite}: `) ? title.slice(suite.length + 2) : title;
    if (report.t === 'pass') {
      write({ t: 'passed', title, suite });
      print(`    ✓ ${short} (${report.ms} ms)`);
    } else if (report.t === 'fail') {
      write({ t: 'failed', title, suite, text: report.error });
      print(`    ✗ ${short}\n${report.error.replaceAll(/^/gm, '        ')}`);
    } else if (report.t === 'skip') {
      const { reason } = report;
      if (reason === '')
        write({ t: 'missing', title, suite, text: 'It did not run, and gave no reason.' });
      else write({ t: 'not run', title, suite, text: reason });
      print(`    - ${short}${reason === '' ? '' : ` (${reason})`}`);
    }
  }
  throw new Error('The extension host ended before the tests did.');
}
