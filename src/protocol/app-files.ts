/** Files of apps, and the definitions beside them: `acme.auth.json` beside `acme.app.mjs` (pure). */

const ending = /\.app\.[cm]?[jt]s$/;

export function isAppFile(path: string): boolean {
  return ending.test(path);
}

/** Path of an app's definition, if there is one; undefined if the file is not an app's. */
export function definitionBeside(path: string): string | undefined {
  return isAppFile(path) ? path.replace(ending, companionEnding) : undefined;
}

export const companionEnding = '.auth.json';

/** The slug that such a definition is named by; undefined for another file. @param path with "/" or "\" */
export function slugOfCompanion(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.endsWith(companionEnding) ? name.slice(0, -companionEnding.length) : undefined;
}
