/** The commands, options and files that the pages name exist, and a how-to page is short. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createCli } from '../../../src/cli/cli.ts';
import { createProgram, leaves, pathOf } from '../../../src/cli/program.ts';
import { verbs } from '../../../src/cli/verbs.ts';

const root = resolve(import.meta.dirname, '../../..');
const howTos = globSync('docs/how-to/*.md', { cwd: root }).toSorted();
/** Generated pages are compared elsewhere, and the changelog names commands of its day. */
const pages = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted(), ...howTos].filter(
  (page) => !/(?:cli|rest-api|platform)\.md$/.test(page),
);
const contentOf = (page: string): string => readFileSync(join(root, page), 'utf8');

const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
const io = { ...streams, env: {}, cwd: '/' };
const program = createProgram(verbs, createCli(io, new AbortController().signal), '', io);
const options = (of: typeof program) => of.options.map(({ long }) => long);
const commands = leaves(program).map((command) => ({
  path: pathOf(command),
  options: [...options(program), ...options(command), '--help', '--version'],
}));

/** Lines of blocks that begin with a command, commands in sentences, and the options for the service. */
function commandsOf(page: string): string[] {
  const content = contentOf(page);
  const blocks = [...content.matchAll(/^ *```(\w*)\n(.*?)^ *```/gms)].flatMap(
    ([, language = '', text = '']) => (language === '' || language === 'sh' ? [text] : []),
  );
  const typed = [
    ...blocks
      .join('')
      .matchAll(
        /(?:^ *|&& |^WEIR_STORE=\S+ |exec weir |npx )weir ([a-z].*?)(?= +#| &&| > | \| |$)/gm,
      ),
    ...content.matchAll(/`(?:npx )?weir\s+([a-z][^`]*?)`/g),
  ].map(([, line = '']) => line.replaceAll(/\s+/g, ' '));
  const served = [...content.matchAll(/WEIR_OPTIONS=(.*?)'/g)].map(
    ([, line = '']) => `serve ${line}`,
  );
  return [...new Set([...typed, ...served])];
}

describe.each(pages)('%s', (page) => {
  const lines = commandsOf(page);
  test.runIf(lines.length > 0).each(lines)('weir %s', (line) => {
    const command = commands.find(
      ({ path }) => `${line} `.startsWith(`${path} `) || path.startsWith(`${line} `),
    );
    expect(command).toBeDefined();
    const given = line.match(/(?<= )--[a-z][a-z-]*/g) ?? [];
    expect(given.filter((option) => command?.options.includes(option) !== true)).toEqual([]);
  });

  test('names files that exist', () => {
    const named = contentOf(page).match(/\b(?:deploy|examples)\/[\w./-]*\w/g) ?? [];
    expect([...new Set(named)].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

test('most commands are shown on a page', () => {
  const shown = pages.flatMap(commandsOf);
  expect(shown.length).toBeGreaterThan(100);
});

test.each(howTos)('%s is one task, on at most 60 lines', (page) => {
  const [title = '', blank, opening = ''] = contentOf(page).split('\n');
  expect(title).toMatch(/^# [A-Z]/);
  expect(blank).toBe('');
  expect(opening).toMatch(/^[A-Z]/);
  expect(contentOf(page).split('\n').length - 1).toBeLessThanOrEqual(60);
});
