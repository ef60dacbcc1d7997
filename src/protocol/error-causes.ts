/** How the causes of an error are written below its stack, and read again where there is room for one sentence (pure). */

export const causedBy = 'Caused by: ';

/** @param at counts from 1 */
export function oneOf(at: number, all: number): string {
  return `Error ${at} of ${all}: `;
}

const causeLine = /^ *(?:Caused by|Suppressed|Error \d+ of \d+): (.+)$/;

/** A sentence names so many. */
const mostNamed = 3;

/**
 * The message, followed by what it does not say about its causes: "fetch failed (Error: connect ECONNREFUSED 127.0.0.1:80)".
 * @param stack as a component's process writes it
 */
export function messageWithCauses({
  message,
  stack = '',
}: {
  readonly message: string;
  readonly stack?: string | undefined;
}): string {
  const causes = stack.split('\n').flatMap((line) => causeLine.exec(line)?.[1] ?? []);
  const unsaid = causes.filter((cause) => !message.includes(cause.replace(/^\w*Error: /, '')));
  if (unsaid.length === 0) return message;
  const named = [...new Set(unsaid)].slice(0, mostNamed).join('; ');
  return `${message.replace(/\.$/, '')} (${named})`;
}
