/** A dedupe id is a text or a number, and comes back as what it was. */
export function dedupeColumns(id: string | number | undefined) {
  const isText = typeof id === 'string';
  return { dedupe_text: isText ? id : null, dedupe_number: isText ? null : id };
}
