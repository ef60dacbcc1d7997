/**
 * The README as an installed extension shows it: with no repository beside it, what points into one
 * would be a broken image or a dead link. Local images go, local links become their text.
 */
export function withoutLocalLinks(markdown: string): string {
  return markdown
    .replaceAll(/^ *!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '')
    .replaceAll(/ *!\[[^\]]*\]\((?!https:)[^)]*\)/g, '')
    .replaceAll(/(?<!!)\[([^\]]+)\]\((?!https:|#)[^)]*\)/g, '$1');
}
