/** Hides secret values in what is shown (pure). */
import { inspect } from 'node:util';

export interface Mask {
  /** Puts the name in the place of each value that a text holds. */
  text(text: string): string;
  /** The same for each text in a value of JSON, names of members included. */
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
 * A value is found as it is, line by line where it has several, and as it stands within JSON, within an object that
 * `console.log` shows, in a URL and in base64. What code makes of it otherwise (a hash, a part of it, base64 with more around it) is not.
 */
export function maskOf(values: Readonly<Record<string, string>>): Mask {
  const shown = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
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
  const base64 = Buffer.from(value, 'utf8').toString('base64');
  return [
    ...plain.flatMap((form) => [
      form,
      JSON.stringify(form).slice(1, -1),
      inspect(form, { maxStringLength: null, breakLength: Infinity }).slice(1, -1),
      encodeURIComponent(form.toWellFormed()),
    ]),
    // A short one's could be anything.
    ...(value.length >= shortest ? [base64.replace(/=+$/, ''), base64] : []),
  ];
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
