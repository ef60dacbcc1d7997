import { Option } from 'commander';
import { positiveInteger } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import { infoText, offeredTable } from '../views/registry.ts';

interface SearchFlags {
  readonly app?: string;
  readonly type?: 'source' | 'action';
  readonly registry?: string;
  readonly limit?: number;
}

export const search: Verb = (program, cli) => {
  program
    .command('search [text...]')
    .description('Search the registries for components, without running any')
    .option('--app <slug>', 'only components of this app')
    .addOption(new Option('--type <type>', 'only these').choices(['source', 'action']))
    .option('--registry <name>', 'search only this registry')
    .option('--limit <n>', 'maximum number of results (50)', positiveInteger)
    .action(async (text: readonly string[], flags: SearchFlags, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const found = await call('components.search', { query: text.join(' '), ...flags });
        for (const { registry, message } of found.problems) out.note(`${registry}: ${message}`);
        out.answer(found, () => offeredTable(found.components, width));
        return found.components.length === 0 && found.problems.length > 0 ? 1 : 0;
      });
    });
};

export const info: Verb = (program, cli) => {
  program
    .command('info <reference>')
    .description('Show a component of a registry from its text, without running it')
    .option('--code', 'print its code')
    .option('--readme', 'print its README')
    .action(async (key: string, flags: { code?: boolean; readme?: boolean }, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const shown = await call('components.registry', { key });
        out.answer(shown, () => {
          if (flags.code === true) return shown.code;
          return flags.readme === true ? (shown.readme ?? 'It has no README.') : infoText(shown);
        });
      });
    });
};
