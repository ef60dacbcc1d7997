/** The place in a test file of a differing value (pure). */
import { placeOf, yamlValues } from '../../workflow-file/yaml-values.ts';

/**
 * @param path of a difference, such as `steps.total.$return_value.items[2]`
 * @returns from 0; that of `expect`, or the first one, where the file does not say so itself
 */
export function differenceLine(text: string, path: string): number {
  const { root } = yamlValues(text);
  if (root === undefined) return 0;
  const { key, span } = placeOf(root.at, ['expect', ...partsOf(path)]);
  return text.slice(0, (key ?? span).start).split('\n').length - 1;
}

/** `a.b["c d"][2]` as its keys and indexes. */
function partsOf(path: string): (string | number)[] {
  const parts = path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g);
  return [...parts].map(([, index, quoted, name]) =>
    index !== undefined
      ? Number(index)
      : quoted !== undefined
        ? (JSON.parse(quoted) as string)
        : (name ?? ''),
  );
}
