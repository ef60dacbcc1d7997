/** The errors that a schema found, in sentences (pure). */
import type * as z from 'zod';
import { WeirError } from '../errors.ts';

/** One sentence per invalid parameter. */
export function badInput(error: z.ZodError): WeirError {
  const details = error.issues.map((issue) => {
    const prop = issue.path.join('.');
    return { message: sentenceOf(issue, prop === '' ? 'The parameters' : prop), prop };
  });
  return new WeirError('bad_input', details.map((d) => d.message).join(' '), details);
}

/** zod's own words are for programmers; the most frequent issues get a plain sentence. */
function sentenceOf(issue: z.core.$ZodIssue, what: string): string {
  const zods = `${what}: ${issue.message}.`;
  if (issue.code === 'too_small' && issue.origin === 'number') {
    return `${what} is ${issue.minimum} at least.`;
  }
  if (issue.code === 'too_big' && issue.origin === 'number') {
    return `${what} is ${issue.maximum} at most.`;
  }
  if (issue.code !== 'invalid_type') return zods;
  if (issue.message.endsWith('received undefined')) return `${what} is missing.`;
  return `${what} must be ${issue.expected === 'number' ? 'a number' : `of type ${issue.expected}`}.`;
}
