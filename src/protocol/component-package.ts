/** How an npm package of components is recognized. */

/** Among `keywords` of its `package.json`: what a search of a registry asks for. */
export const componentKeyword = 'weir-component';

/** The keyword for an app that a package's components use. */
export function appKeyword(slug: string): string {
  return `weir-app-${slug}`;
}
