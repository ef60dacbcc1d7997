import { yamlValues, type YamlValues } from './yaml-values.ts';

/** A change needs the text before and after it. */
const kept = 2;
/** The one asked for last comes last. */
const recent = new Map<string, YamlValues>();

/**
 * The values of a text, read once while it is one of the last two that were asked for: for an edit, whose text is
 * looked at several times on its way. Nobody may change what it returns.
 */
export function recentValues(text: string): YamlValues {
  const values = recent.get(text) ?? yamlValues(text);
  recent.delete(text);
  recent.set(text, values);
  for (const oldest of recent.keys()) {
    if (recent.size <= kept) break;
    recent.delete(oldest);
  }
  return values;
}
