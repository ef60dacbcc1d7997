import type { Command } from './context.ts';
import { pickFile } from './pick-file.ts';
import { pickSource } from './pick-target.ts';

/** A source follows its file from now on; once more, and it does not. */
export const dev: Command = async (context, arg) => {
  const target = await pickSource(
    context.folders,
    arg,
    'Dev Mode',
    (source) => source.path !== null,
  );
  if (target === undefined) return;
  const { folder, source } = target;
  if (context.dev.followed.has(source.id)) return context.dev.stop(source.id);
  const file = await pickFile(source.path ?? undefined);
  if (file !== undefined) await context.dev.start(folder, source.id, file);
};
