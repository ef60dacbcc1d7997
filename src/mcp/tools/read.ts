import * as z from 'zod';
import { readDocument } from '../documents.ts';
import { tool } from '../tool.ts';

export const readInput = z.object({
  uri: z.string().min(1).describe('weir://…, as an answer gave it under "cut" or "from"'),
  pointer: z.string().default('').describe('JSON pointer to one part, such as /event/body'),
  offset: z
    .int()
    .min(0)
    .default(0)
    .describe('characters to skip: "next_offset" of the part before'),
});

export const readName = 'read';

/** The server takes the part that was asked for, after it has masked the whole. */
export const readTool = tool({
  name: readName,
  title: 'Read the rest',
  description:
    'A stretch of a document, or of an answer that was cut: 12,000 characters from offset on. The text of a part that is not text is its JSON.',
  input: readInput,
  does: 'reads',
  run: ({ uri }, caller) => readDocument(uri, caller),
});
