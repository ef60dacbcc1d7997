import path from 'node:path';
import type { Folder } from '../connection/folder.ts';
import { withProgress } from '../notify.ts';
import { inspect, type Definition, type InspectContext } from './inspect.ts';

/** Reads a component's file for a command: with a notification that shows the progress and can cancel it. */
export function inspectVisibly(
  context: InspectContext,
  folder: Folder,
  file: string,
): Thenable<Definition> {
  return withProgress(`Reading ${path.basename(file)}`, (options) =>
    inspect(context, folder, file, options),
  );
}
