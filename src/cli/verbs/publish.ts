import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../arguments.ts';
import type { Cli, ConnectedTools, Verb } from '../cli.ts';
import { publishTo, removeVersion } from '../publishing/to-registry.ts';
import { targetOf } from '../publishing/target.ts';
import { withRuntime } from '../runtime-for-this.ts';
import { fields } from '../views/fields.ts';
import { packedText, publishedText, removedText } from '../views/packages.ts';

interface PublishFlags {
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly provenance: boolean;
}

export const publish: Verb = (program, cli) => {
  program
    .command('publish <file>')
    .description(
      'Save a source or action under its key in this data folder, or publish a package of components to an npm registry',
    )
    .option(
      '--to <registry>',
      'publish to this npm registry: "npm" or a URL; folders are allowed, too',
    )
    .option('--dry-run', 'print what would be published, and publish nothing')
    .option(
      '--no-provenance',
      'publish without the signed statement of where the package was built',
    )
    .action(async (file: string, flags: PublishFlags, command: Command) => {
      if (flags.to === undefined && flags.dryRun !== true) await saveHere(cli, command, file);
      else await publishPackage(cli, command, file, flags);
    });
};

async function saveHere(cli: Cli, command: Command, file: string): Promise<void> {
  await cli.connected(command, async ({ call, io, out }) => {
    const made = await call('components.publish', { component_path: resolve(io.cwd, file) });
    const { id, name, version, key } = made;
    out.answer(made, () => fields({ id, name, version, key }));
  });
}

/** In CI nothing serves: a runtime is started for it. */
async function publishPackage(
  cli: Cli,
  command: Command,
  file: string,
  { to, dryRun, provenance }: PublishFlags,
): Promise<void> {
  const run = async (tools: ConnectedTools): Promise<void> => {
    const { call, io, out } = tools;
    const target = to === undefined ? undefined : targetOf(to);
    const packed = await call('components.pack', { component_path: resolve(io.cwd, file) });
    if (dryRun === true || target === undefined) {
      const files = packed.files.map(({ path, size }) => ({ path, size }));
      out.answer({ ...packed, files }, () => packedText(packed));
      return;
    }
    const published = await publishTo(target, packed, tools, provenance);
    out.answer({ ...published, components: packed.weir.components }, () =>
      publishedText(published, packed),
    );
  };
  await withRuntime(cli.tools(command).dataFolder, () => cli.connected(command, run));
}

export const unpublish: Verb = (program, cli) => {
  const parent = program.command('unpublish').description('Remove what was published');
  parent
    .command('component <key>')
    .description('Remove a published component; what was deployed from it stays')
    .action(async (key: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('components.unpublish', { id: key });
        out.answer({ unpublished: key }, () => `Unpublished ${key}.`);
      });
    });
  parent
    .command('package <version>')
    .description(
      'Remove one version of a package from an npm registry, or say why nobody should take it',
    )
    .requiredOption('--from <registry>', 'remove from this npm registry: "npm" or its URL')
    .option('--last', 'remove the only version, too, and the package with it')
    .option(
      '--deprecate <reason>',
      'keep the version, and let npm warn with this reason whoever installs it',
    )
    .action(async (spec: string, { from, deprecate, last }: RemoveFlags, command: Command) => {
      const [, name, version] = /^(@[^@/]+\/[^@/]+|[^@/]+)@([^@]+)$/.exec(spec) ?? [];
      if (name === undefined || version === undefined) {
        throw new UsageError(`"${spec}" names no version of a package: write "@scope/name@1.2.0".`);
      }
      await cli.run(command, async (tools) => {
        const which = { name, version };
        const how = { reason: deprecate, mayBeLast: last === true };
        const registry = await removeVersion(targetOf(from), which, how, tools);
        const status = deprecate === undefined ? 'unpublished' : 'deprecated';
        tools.out.answer({ package: name, version, registry, status }, () =>
          removedText(spec, registry, deprecate),
        );
      });
    });
};

interface RemoveFlags {
  readonly from: string;
  readonly deprecate?: string;
  readonly last?: boolean;
}
