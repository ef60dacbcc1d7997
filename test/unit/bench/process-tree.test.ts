import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  parseProcStat,
  parsePs,
  treeOf,
  usageOfTree,
} from '../../../bench/harness/process-tree.mts';

test('a line of /proc/<pid>/stat, with a name that looks like fields', () => {
  const line =
    '42 (node (a) b) S 7 42 42 0 -1 4194560 900 11 0 0 250 50 12 3 20 0 11 0 8000 1200000 1000 1 2 3';
  expect(parseProcStat(line, 4096, 10)).toEqual({
    pid: 42,
    parent: 7,
    cpuMs: 3150,
    rssBytes: 4_096_000,
  });
});

describe('a line of ps', () => {
  test.each([
    ['0:01.50', 1500],
    ['00:02:03', 123_000],
    ['1-00:00:01', 86_401_000],
  ])('with the time %s', (time, cpuMs) => {
    expect(parsePs(`  42     7  2048 ${time}`)).toEqual({
      pid: 42,
      parent: 7,
      cpuMs,
      rssBytes: 2 ** 21,
    });
  });
});

test('a tree has children of children and nobody else', () => {
  const samples = [
    [1, 0],
    [2, 1],
    [5, 4],
    [4, 2],
    [3, 1],
  ] as const;
  const all = samples.map(([pid, parent]) => ({ pid, parent, cpuMs: 0, rssBytes: 0 }));
  expect(treeOf(all, 2).map(({ pid }) => pid)).toEqual([2, 4, 5]);
  expect(treeOf(all, 9)).toEqual([]);
});

test('a real process is found with its child, and missed when it is gone', async () => {
  const program = `
    const child = require('node:child_process').spawn(process.execPath, ['-e',
      'const end = Date.now() + 150; while (Date.now() < end); console.log(1); process.stdin.resume()'],
      { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdout.once('data', () => console.log('burnt'));
    process.stdin.once('end', () => child.stdin.end());
    process.stdin.resume();`;
  const parent = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const pid = parent.pid!;
  await once(parent.stdout, 'data');
  const usage = usageOfTree(pid);
  expect(usage.rssBytes).toBeGreaterThan(2 ** 20);
  expect(usage.cpuMs).toBeGreaterThan(0);
  parent.stdin.end();
  await once(parent, 'exit');
  expect(() => usageOfTree(pid)).toThrow(`Process ${pid} ended`);
});
