/** Brings files of a project to a runtime on another machine. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import type { Caller, CallOptions } from '../connection.ts';
import type { ProjectFiles } from './project-files.ts';

export interface Project {
  /** Its name on the other machine: small letters, digits and `-`. */
  readonly name: string;
  /** Absolute path of its folder. */
  readonly root: string;
}

/**
 * Only what the runtime does not have yet is sent.
 * @throws WeirError as the runtime answers, or `conflict` when files change all the time
 */
export async function upload(
  { call }: Caller,
  { name, root }: Project,
  { files, folders }: ProjectFiles,
  options: CallOptions,
): Promise<void> {
  const below = (file: string): string => path.relative(root, file).split(path.sep).join('/');
  const project = { project: name, folders: folders.map(below).filter((folder) => folder !== '') };
  let sent: ReadonlySet<string> = new Set();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const given = await Promise.all(
      files.map(async (file) => {
        const bytes = await readFile(file);
        const hash = createHash('sha256').update(bytes).digest('hex');
        const content = sent.has(below(file)) ? { content: bytes.toString('base64') } : {};
        return { path: below(file), hash, ...content };
      }),
    );
    const { missing } = await call('uploads.put', { ...project, files: given }, options);
    if (missing.length === 0) return;
    options.progress?.(`Sending ${missing.length === 1 ? missing[0] : `${missing.length} files`}`);
    sent = new Set([...sent, ...missing]);
  }
  throw new WeirError('conflict', 'The files changed while they were sent: try it again.');
}

/** The second one has all contents; one more for what was saved in between. */
const maxAttempts = 3;
