/** Hides secret values in what is shown (pure). */
import { inspect } from 'node:util';

export interface Mask {
  /** Replaces each known value in a text by its name. */
  text(text: string): string;
  /** The same for each text in a JSON value, including names of members. */
  value(value: unknown): unknown;
}

/** Hides what any of them hides. */
export function joinedMask(masks: readonly Mask[]): Mask {
  return {
    text: (given) => masks.reduce((shown, mask) => mask.text(shown), given),
    value: (given) => masks.reduce((shown, mask) => mask.value(shown), given),
  };
}

/** A shorter value would hide what is no secret: "1", "true", "eu". */
const shortest = 6;

/**
 * A value is found as it is, line by line where it has several, and as it stands within JSON (also JSON in JSON), within an
 * object that `console.log` shows, in XML, in a URL, a form, hexadecimal digits and base64, also with more around it as in
 * `Basic …`. What code makes of it otherwise (a hash, a part of it) is not.
 * @param values by name; as pairs where several have one name
 */
export function maskOf(
  values: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[],
): Mask {
  const shown = new Map<string, string>();
  const named = Array.isArray(values) ? (values as [string, string][]) : Object.entries(values);
  for (const [name, value] of named) {
    for (const form of formsOf(value)) {
      if (form.length >= shortest && !shown.has(form)) shown.set(form, `[${name}]`);
    }
  }
  if (shown.size === 0) return { text: (text) => text, value: (value) => value };
  // Longer ones first: one may be part of another.
  const forms = [...shown.keys()].sort((a, b) => b.length - a.length);
  const any = new RegExp(forms.map(escaped).join('|'), 'g');
  const text = (given: string): string => given.replace(any, (found) => shown.get(found) ?? found);
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    // A number may be a value, too.
    if (typeof given === 'number') return shown.get(String(given)) ?? given;
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(
      Object.entries(given).map(([name, member]) => [text(name), value(member)]),
    );
  };
  return { text, value };
}

function formsOf(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const plain = [value, value.trim(), ...(lines.length > 1 ? lines : [])];
  return [
    ...plain.flatMap((form) => [
      form,
      JSON.stringify(form).slice(1, -1),
      inspect(form, { maxStringLength: null, breakLength: Infinity }).slice(1, -1),
      JSON.stringify(JSON.stringify(form).slice(1, -1)).slice(1, -1),
      ...inUrl(form.toWellFormed()),
      form.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ]),
    // A short one's could be anything.
    ...(value.length >= shortest ? encoded(Buffer.from(value, 'utf8')) : []),
  ];
}

/** As `encodeURIComponent`, `encodeURI` and forms write it, with digits of either case. */
function inUrl(text: string): string[] {
  const form = new URLSearchParams({ '': text }).toString().slice(1);
  return [encodeURIComponent(text), encodeURI(text), form].flatMap((one) => [
    one,
    one.replaceAll(/%../g, (digits) => digits.toLowerCase()),
  ]);
}

/**
 * Base64 depends on how many bytes stand before the value: of each of the three ways only those characters are looked for
 * that no neighbor changes. Padding that follows is hidden with it.
 */
function encoded(bytes: Buffer): string[] {
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    const inside = text.slice(Math.ceil((before * 8) / 6), whole);
    return before === 0 ? [text, text.replace(/=+$/, ''), inside] : [inside];
  });
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = bytes.toString('hex');
  return [...base64, ...urlSafe, hex, hex.toUpperCase()];
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
