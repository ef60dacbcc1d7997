import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createCli } from '../../../src/cli/cli.ts';
import { candidatesFor } from '../../../src/cli/completion/candidates.ts';
import { examples } from '../../../src/cli/examples.ts';
import { createProgram, leaves, pathOf } from '../../../src/cli/program.ts';
import { verbs } from '../../../src/cli/verbs.ts';

const io = {
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
  cwd: '/nowhere',
};
const program = createProgram(verbs, createCli(io, new AbortController().signal), '1.2.3', io);
const shown = leaves(program).filter((command) => pathOf(command) !== 'complete');

describe('examples', () => {
  test('every command has one', () => {
    const without = shown.map(pathOf).filter((path) => examples[path] === undefined);
    expect(without).toEqual([]);
  });

  test.each(
    shown.flatMap((command) =>
      (examples[pathOf(command)] ?? []).map((line) => ({ command, line })),
    ),
  )('$line', ({ command, line }) => {
    const [, typed = ''] = /(?:^|\| )weir (.*)$/.exec(line) ?? [];
    expect(typed.startsWith(pathOf(command))).toBe(true);
    const known = optionsOf(command);
    for (const [option] of typed.matchAll(/(?<=\s)--?[a-z][a-z-]*/g))
      expect(known).toContain(option);
  });

  test('help ends with them', () => {
    let text = '';
    const help = shown.find((command) => pathOf(command) === 'webhooks create')!;
    help.configureOutput({ writeOut: (more) => void (text += more) }).outputHelp();
    expect(text).toMatch(/Global Options:[^]*Examples:\n {2}\$ weir webhooks create http/);
  });
});

function optionsOf(command: Command | null): (string | undefined)[] {
  if (command === null) return [];
  return [
    ...command.options.flatMap(({ long, short }) => [long, short]),
    ...optionsOf(command.parent),
  ];
}

test('what was typed wrong is repeated without escape sequences', async () => {
  const stderr = new PassThrough();
  const own = { ...io, stderr };
  const cli = createCli(own, new AbortController().signal);
  const made = createProgram(verbs, cli, '1.2.3', own);
  for (const args of [
    ['list', '\u001B[31mx', 'y'],
    ['list', '--\u001B[31mx'],
    ['\u001B]0;x\u0007'],
    ['init', '\u001B[31mx'],
  ]) {
    await expect(made.parseAsync(args, { from: 'user' })).rejects.toThrow(
      /^(?:error|weir|too many|unknown|command-argument)/,
    );
  }
  const text = String(stderr.read());
  expect(text).toContain('\\u001b[31mx');
  expect(text).not.toContain('\u001B');
});

describe('completion', () => {
  test.each<[string, { values?: string[]; named?: string[] }]>([
    ['del', { values: ['delete', 'deliveries'] }],
    ['webhooks c', { values: ['create'] }],
    ['complete', { values: [] }],
    ['list w', { values: ['webhooks', 'workflows'] }],
    ['init ', { values: ['source', 'action', 'app', 'workflow', 'agents'] }],
    ['events --s', { values: ['--search'] }],
    ['events --js', { values: ['--json'] }],
    ['events ', { named: ['sources', 'workflows'] }],
    ['events inbox ', { values: [] }],
    ['events -n 5 ', { named: ['sources', 'workflows'] }],
    ['events -n ', { values: [] }],
    ['--data /tmp/x events ', { named: ['sources', 'workflows'] }],
    ['events -f ', { named: ['sources', 'workflows'] }],
    ['db list ', { named: ['sources'] }],
    ['executions ', { named: ['workflows'] }],
    ['resume ', { named: ['executions'] }],
    ['replay ', { named: ['sources', 'workflows', 'executions'] }],
    ['subscriptions create inbox ', { named: ['webhooks', 'sources', 'workflows'] }],
    ['webhooks delete ', { named: ['webhooks'] }],
    ['accounts delete ', { named: ['accounts'] }],
    ['deploy ', { values: [] }],
    ['nonsense ', { values: [] }],
  ])('weir %s', (line, { values = [], named = [] }) => {
    const found = candidatesFor(program, line.split(' '));
    expect(found.fixed.map(({ value }) => value).toSorted()).toEqual(values.toSorted());
    expect(found.named).toEqual(named);
  });
});
