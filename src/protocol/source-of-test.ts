/**
 * The source that a test names, by the text of its file (pure): by that the tests of sources are told from those of
 * workflows, and from what other tools keep in such files.
 *
 * @returns the path as the file has it, from its own folder on; empty when it names none; undefined for another test
 */
export function sourceOfTest(text: string): string | undefined {
  const found = /^["']?source["']?[ \t]*:[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s#]*))/m.exec(text);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}
