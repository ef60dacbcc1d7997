import { messageOf } from '../../../protocol/errors.ts';

/** JSON of an export with its text; `wrong` ends a sentence that begins with the name of its file. */
export type ReadJson =
  | { readonly value: unknown; readonly text: string }
  | { readonly wrong: string };

/** Reads JSON in UTF-8 or UTF-16, with a byte order mark or without. */
export function readJson(data: Uint8Array): ReadJson {
  let text: string;
  try {
    text = new TextDecoder(encodingOf(data), { fatal: true }).decode(data);
  } catch {
    return { wrong: 'is text in no encoding that is known: save it as UTF-8, and import again.' };
  }
  try {
    return { value: JSON.parse(text) as unknown, text };
  } catch (error) {
    return { wrong: `is not JSON (${messageOf(error)}): mend it, and import again.` };
  }
}

/** By its mark; without one, JSON begins with an ASCII character, whose other byte is zero in UTF-16. */
function encodingOf(data: Uint8Array): string {
  const [first, second] = data;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0 && second !== 0) return 'utf-16be';
  return second === 0 && first !== 0 ? 'utf-16le' : 'utf-8';
}
