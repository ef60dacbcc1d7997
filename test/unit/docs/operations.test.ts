/** docs/operations.md: what it has the reader type and install is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createCli } from '../../../src/cli/cli.ts';
import { createProgram, leaves, pathOf } from '../../../src/cli/program.ts';
import { verbs } from '../../../src/cli/verbs.ts';

const root = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const blocks = [...page.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, text = '']) => text).join('');

const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
const io = { ...streams, env: {}, cwd: '/' };
const program = createProgram(verbs, createCli(io, new AbortController().signal), '', io);
const options = (of: typeof program) => of.options.map(({ long }) => long);
const commands = leaves(program).map((command) => ({
  path: pathOf(command),
  options: [...options(program), ...options(command)],
}));

/** Those that lines of blocks begin with, those in sentences, and the options for the service. */
const typed = [
  ...blocks.matchAll(/(?:^ *|&& |^WEIR_STORE=\S+ |exec weir )weir ([a-z].*?)(?= +#| &&|$)/gm),
  ...page.matchAll(/`weir ([a-z].*?)`/g),
].map(([, line = '']) => line);
const served = [...page.matchAll(/WEIR_OPTIONS=(.*?)'/g)].map(([, line = '']) => `serve ${line}`);

test.each([...new Set([...typed, ...served])])('weir %s', (line) => {
  const command = commands.find(
    ({ path }) => `${line} `.startsWith(`${path} `) || path.startsWith(`${line} `),
  );
  expect(command).toBeDefined();
  const given = line.match(/--[a-z][a-z-]*/g) ?? [];
  expect(given.filter((option) => command?.options.includes(option) !== true)).toEqual([]);
});

test('the files that it names', () => {
  const named = page.match(/\b(?:deploy|examples)\/[\w./-]*\w/g) ?? [];
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
