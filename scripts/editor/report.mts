import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { add, oneFailure, nothing, type Result } from '../test/result.mts';

/** What the suite inside the extension host tells the driver, as JSON lines over a local socket. */
export type Report =
  | { readonly t: 'start'; readonly pid: number; readonly about: string }
  | { readonly t: 'suite'; readonly title: string }
  | { readonly t: 'test'; readonly title: string }
  | { readonly t: 'pass'; readonly title: string; readonly ms: number }
  | { readonly t: 'fail'; readonly title: string; readonly error: string }
  | { readonly t: 'skip'; readonly title: string }
  /** `runtime` is the pid of the runtime that still runs, for the driver's own last test. */
  | { readonly t: 'end'; readonly runtime: number | null };

/** What the driver says to the one suite that it wants to run. */
export const go = 'go';

export interface Outcome {
  readonly result: Result;
  /** Pid of the extension host, which stays until {@link Reporter.release}. */
  readonly extensionHost: number;
  readonly runtime: number | null;
}

export interface Reporter {
  readonly port: number;
  /** Settles with the suite: rejects when the extension host goes away without a word. */
  readonly outcome: Promise<Outcome>;
  /** Title of the test that is running. */
  current(): string;
  /** Lets the suite's process go on to its end. */
  release(): void;
}

/** Listens for one suite and prints what it reports. */
export async function listen(print: (line: string) => void): Promise<Reporter> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let connected: Socket | undefined;
  let current = 'the start of the editor';
  const outcome = new Promise<Outcome>((resolve, reject) => {
    server.on('connection', (socket) => {
      // Windows that the tests open have an extension host each, and run no tests.
      if (connected !== undefined) return void socket.destroy();
      connected = socket;
      socket.write(go);
      follow(socket, print, (title) => {
        current = title;
      }).then(resolve, reject);
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    outcome,
    current: () => current,
    release() {
      connected?.end();
      server.close();
    },
  };
}

async function follow(
  socket: Socket,
  print: (line: string) => void,
  began: (title: string) => void,
): Promise<Outcome> {
  let result = nothing;
  let suite = '';
  let extensionHost = 0;
  socket.on('error', () => socket.destroy());
  for await (const line of createInterface({ input: socket })) {
    const report = JSON.parse(line) as Report;
    switch (report.t) {
      case 'start':
        extensionHost = report.pid;
        print(report.about);
        break;
      case 'suite':
        suite = report.title;
        print(`\n  ${suite}`);
        break;
      case 'test':
        began(report.title);
        break;
      case 'pass':
        result = add(result, { ...nothing, passed: 1 });
        print(`    ✓ ${report.title} (${report.ms} ms)`);
        break;
      case 'fail':
        result = add(result, oneFailure(`${suite}: ${report.title}`, report.error, suite));
        print(`    ✗ ${report.title}\n${report.error.replaceAll(/^/gm, '        ')}`);
        break;
      case 'skip':
        result = add(result, {
          ...nothing,
          notRun: [{ title: `${suite}: ${report.title}`, reason: '' }],
        });
        print(`    - ${report.title}`);
        break;
      case 'end':
        return { result, extensionHost, runtime: report.runtime };
    }
  }
  throw new Error('The extension host ended before the tests did.');
}
