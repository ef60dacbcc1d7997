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

/** The slug itself, or with the first free suffix `-1`, `-2`, … (P21.2, P21.3). */
export function uniqueSlug(base: string, taken: ReadonlySet<string>): string {
  let slug = base;
  for (let n = 1; taken.has(slug); n++) slug = `${base}-${n}`;
  return slug;
}
