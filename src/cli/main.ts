import { version } from '../../package.json';
import { processIo } from './io.ts';
import { runCli } from './run.ts';
import { verbs } from './verbs.ts';

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Once: a second Ctrl-C ends a command that does not stop by itself.
  process.once(signal, () => interrupt.abort());
}
// `weir events | head` closes the pipe when it has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

void runCli(verbs, process.argv.slice(2), processIo(), interrupt.signal, version).then((code) => {
  process.exitCode = code;
});
