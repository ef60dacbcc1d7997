import { expect, test } from 'vitest';
import { toProcessExit, type Exit } from '../../../../src/runtime/processes/process-exit.ts';

const plain: Exit = {
  code: 0,
  signal: null,
  stderr: '',
  report: null,
  killed: null,
  violation: null,
  memoryMb: 256,
};
const report = { t: 'ending', n: 1, cause: 'uncaught', message: 'an error', stack: 'S' } as const;

test.for<[name: string, exit: Partial<Exit>, alone: boolean, loss: object]>([
  [
    'over its time',
    { signal: 'SIGKILL', killed: { cause: 'timeout', n: 1, timeoutMs: 300_000 } },
    false,
    { cause: 'timeout', message: 'ran longer than 300 s', atFault: true },
  ],
  [
    'beside one that was',
    { signal: 'SIGKILL', killed: { cause: 'timeout', n: 2, timeoutMs: 1500 } },
    false,
    { cause: 'timeout', message: 'ran longer than 1.5 s', atFault: false },
  ],
  [
    'killed by us',
    { signal: 'SIGKILL', killed: { cause: 'killed', reason: 'deleted' } },
    true,
    { cause: 'killed', message: 'deleted', atFault: false },
  ],
  [
    'more output than it may have',
    { signal: 'SIGKILL', killed: { cause: 'output', n: 1, outputMb: 64 } },
    false,
    { cause: 'output', message: expect.stringContaining('more than 64 MB'), atFault: true },
  ],
  [
    'beside one that had',
    { signal: 'SIGKILL', killed: { cause: 'output', n: 2, outputMb: 64 } },
    false,
    { cause: 'output', atFault: false },
  ],
  [
    'nonsense that names it',
    { signal: 'SIGKILL', violation: { n: 1, what: 'a message "done" of the wrong form' } },
    false,
    {
      cause: 'protocol',
      message: 'its process sent a message "done" of the wrong form, which no component host sends',
      atFault: true,
    },
  ],
  [
    'nonsense that names another',
    { signal: 'SIGKILL', violation: { n: 2, what: 'x' } },
    true,
    { cause: 'protocol', atFault: false },
  ],
  [
    'nonsense that names none',
    { signal: 'SIGKILL', violation: { n: null, what: 'bytes that are not message' } },
    true,
    { cause: 'protocol', atFault: true },
  ],
  [
    'nonsense that names none, several in flight',
    { signal: 'SIGKILL', violation: { n: null, what: 'bytes that are not message' } },
    false,
    { cause: 'protocol', atFault: false },
  ],
  [
    'stopped by a person',
    { signal: 'SIGKILL', killed: { cause: 'stopped', n: 1 } },
    false,
    { cause: 'stopped', message: 'was stopped by hand', atFault: true },
  ],
  [
    'beside one that was stopped',
    { signal: 'SIGKILL', killed: { cause: 'stopped', n: 2 } },
    false,
    { cause: 'stopped', atFault: false },
  ],
  [
    'said so itself',
    { code: 1, report },
    false,
    { cause: 'uncaught', message: 'an error', atFault: true, stack: 'S' },
  ],
  [
    'another said so',
    { code: 1, report: { ...report, n: 2 } },
    false,
    { atFault: false, stack: 'S' },
  ],
  ['nobody knows who', { code: 1, report: { ...report, n: null } }, true, { atFault: false }],
  [
    'a full heap',
    {
      signal: 'SIGABRT',
      stderr:
        'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n#1',
    },
    true,
    { cause: 'memory', message: 'used more than 256 MB of memory', atFault: true },
  ],
  [
    'a full heap, several in flight',
    { signal: 'SIGABRT', stderr: 'JavaScript heap out of memory' },
    false,
    { cause: 'memory', atFault: false },
  ],
  [
    'a crash',
    { signal: 'SIGSEGV', stderr: 'native: boom\n' },
    true,
    { cause: 'signal', message: 'its process was ended by SIGSEGV: native: boom', atFault: true },
  ],
  ['a crash, several in flight', { signal: 'SIGSEGV' }, false, { atFault: false }],
  [
    'killed by a person or the system',
    { signal: 'SIGKILL' },
    true,
    { cause: 'signal', message: 'its process was ended by SIGKILL', atFault: false },
  ],
  [
    'an exit code',
    { code: 7 },
    true,
    { cause: 'exit', message: 'its process ended with exit code 7', atFault: true },
  ],
  [
    'never started',
    { code: null, stderr: 'spawn nope ENOENT\n' },
    true,
    { message: 'its process ended with exit code unknown: spawn nope ENOENT' },
  ],
])('%s', ([, exit, alone, loss]) => {
  expect(toProcessExit({ ...plain, ...exit }, 1, alone)).toMatchObject(loss);
});
