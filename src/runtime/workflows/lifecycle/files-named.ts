/** Which files beside a step its code names (pure). */

const comment = /^\s*(?:\/\/|\/?\*|#)/;

/**
 * @param code of a step, in any language
 * @param names of files with an ending; others are words that may mean anything
 * @returns names in a line that is not a comment
 */
export function namedIn(code: string, names: readonly string[]): string[] {
  const text = code
    .split('\n')
    .filter((line) => !comment.test(line))
    .join('\n');
  return names.filter((name) => {
    if (!/^[^.].*\.\w+$/.test(name)) return false;
    const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return new RegExp(`(?:^|[\\s"'\`/(=<])${literal}(?:$|[\\s"'\`),;|>&])`, 'm').test(text);
  });
}
