import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Problems } from '../../webview/prop-form/messages.ts';

export interface Failure {
  readonly problem: string;
  readonly problems: Problems;
  readonly log: readonly string[];
}

/** How many lines of a component's output a form shows; all of them are in its log. */
const maxLines = 50;

/** An error as a form shows it: at the props it names, else above the button. */
export function failureOf(error: unknown): Failure {
  const details = WeirError.is(error) ? (error.details ?? []) : [];
  const problems: Record<string, string> = {};
  const log: string[] = [];
  for (const { prop, message } of details) {
    if (prop === undefined) log.push(message);
    else problems[prop] = sentence(prop, message);
  }
  return { problem: messageOf(error), problems, log: log.slice(-maxLines) };
}

/** The runtime starts with the prop's name, "greeting is required."; at its own field that is left out. */
function sentence(prop: string, message: string): string {
  const rest = message.startsWith(`${prop} `) ? message.slice(prop.length + 1) : message;
  if (rest === 'is required.') return 'A value is required.';
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
