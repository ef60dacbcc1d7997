import { InvalidArgumentError } from 'commander';

/** For commander: a whole number from 1 on. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('It must be a whole number above 0.');
  }
  return value;
}

/** For commander: a port, 0 for a free one. */
export function portNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > 65_535) {
    throw new InvalidArgumentError('A port is a number from 0 to 65535; 0 takes a free one.');
  }
  return value;
}

/** For commander: a span of seconds, 0 too. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0) {
    throw new InvalidArgumentError('It must be a whole number of seconds.');
  }
  return value;
}

/** For commander: an option that may be given several times. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
