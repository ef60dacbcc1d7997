/**
 * JSON text that a component's process made. Parsing each event when it is stored would cost more than the
 * rest of its check; so whoever reads it has to take whatever a hostile process has sent.
 */

/** The value; the text itself where it is no JSON. */
export function valueOfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
