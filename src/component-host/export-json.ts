import { lenientJson } from './json.ts';

/** Deepest nesting, and characters of one value, that a step may hand on (P13.2, P13.3). */
const deepest = 256;
const largest = 6 * 1024 * 1024;

/**
 * What a step exports or returns, as JSON text; undefined when nothing is left of it (P13.2:
 * functions are stripped, what is no JSON degrades).
 * @throws RangeError naming the value when it is nested too deeply or too large
 */
export function exportJson(name: string, value: unknown): string | undefined {
  const json = lenientJson(value);
  if (json === undefined) return undefined;
  if (json.length > largest) {
    throw new RangeError(
      `${name} is ${(json.length / 1024 / 1024).toFixed(1)} MB of JSON; a step may hand on 6 MB.`,
    );
  }
  if (depthOf(json) > deepest) {
    throw new RangeError(`${name} is nested more than ${deepest} levels deep.`);
  }
  return json;
}

/** How deeply JSON text is nested. Every text shorter than the limit is shallow enough unread. */
function depthOf(json: string): number {
  if (json.length <= deepest) return 0;
  let depth = 0;
  let most = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === quote) inText = !inText;
    else if (inText && character === backslash) at += 1;
    else if (!inText && (character === openBrace || character === openBracket)) {
      depth += 1;
      most = Math.max(most, depth);
    } else if (!inText && (character === closeBrace || character === closeBracket)) depth -= 1;
  }
  return most;
}

const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = [
  34, 92, 123, 91, 125, 93,
] as const;
