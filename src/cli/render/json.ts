import type { Output } from '../io.ts';
import type { Renderer } from './renderer.ts';

/** Prints for a machine: one document, or one object a line for a stream. */
export function createJsonRenderer(stdout: Output, stderr: Output): Renderer {
  return {
    answer: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    item: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    note: (sentence) => void stderr.write(`${sentence}\n`),
    progress: () => undefined,
    fail({ message, code, details }) {
      stderr.write(`${JSON.stringify({ error: message, code, details })}\n`);
    },
  };
}
