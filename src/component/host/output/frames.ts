/** Frames of a stack: those of Node and of the host mean nothing to a component's author (pure). */

/** The bundle that this code runs from. */
const hostBundle = process.argv[1] ?? 'component-host.js';

export function isFrame(line: string): boolean {
  return /^\s+at /.test(line);
}

/** The stack without the frames of Node and of the host; as it is when it has no others. */
export function componentFrames(stack: string): string {
  const lines = stack.split('\n');
  const kept = lines.filter((line) => !isForeignFrame(line));
  return kept.some(isFrame) ? kept.join('\n') : stack;
}

/** The author's frames of a stack. */
export function authorFrames(stack: string): string[] {
  return stack.split('\n').filter((line) => isFrame(line) && !isForeignFrame(line));
}

/** Removes the frames of the calling host from a component's output. */
export function withoutHostFrames(text: string): string {
  if (!text.includes(hostBundle)) return text;
  const isOfHost = (line: string): boolean => isFrame(line) && line.includes(hostBundle);
  return text
    .split('\n')
    .filter((line) => !isOfHost(line))
    .join('\n');
}

function isForeignFrame(line: string): boolean {
  return isFrame(line) && (/[( ]node:/.test(line) || line.includes(hostBundle));
}
