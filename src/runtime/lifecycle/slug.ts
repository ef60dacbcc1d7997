/**
 * A name as a shell-safe word: lower-case ASCII letters, digits and single dashes (P21.1).
 *
 * @returns an empty text when the name has nothing to make a slug of
 */
export function slugify(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F'’]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
