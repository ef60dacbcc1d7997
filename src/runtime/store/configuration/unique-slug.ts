/** The slug itself, or with the first free suffix `-1`, `-2`, … (P21.2, P21.3). */
export function uniqueSlug(base: string, taken: ReadonlySet<string>): string {
  let slug = base;
  for (let n = 1; taken.has(slug); n++) slug = `${base}-${n}`;
  return slug;
}
