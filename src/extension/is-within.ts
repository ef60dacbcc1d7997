import path from 'node:path';

/** Whether a path is that of a folder or of something below it; both absolute. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  // A name may begin with two dots; another drive has no relative path.
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
