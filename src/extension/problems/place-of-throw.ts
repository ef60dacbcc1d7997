import { stackFrames, type StackFrame } from '../documents/stack-frames.ts';

/**
 * The innermost frame of a stack that is the author's own code (pure).
 * @param isOwn whether a file belongs to the workspace, or is the component itself
 */
export function placeOfThrow(
  stack: string,
  isOwn: (file: string) => boolean,
): StackFrame | undefined {
  return stackFrames(stack).find(
    ({ file }) => isOwn(file) && !/[\\/](?:node_modules|\.weir)[\\/]/.test(file),
  );
}
