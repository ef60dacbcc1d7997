import path from 'node:path';

/**
 * The source that a test is of, by its text (pure).
 * @param file of the test
 * @returns absolute path; undefined for the test of a workflow
 */
export function sourceOfTest(file: string, text: string): string | undefined {
  const found = /^source:\s*(?:"([^"]+)"|'([^']+)'|([^\s#]+))/m.exec(text);
  const source = found?.[1] ?? found?.[2] ?? found?.[3];
  return source === undefined ? undefined : path.resolve(path.dirname(file), source);
}
