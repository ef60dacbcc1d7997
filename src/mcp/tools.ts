/** Every tool, in the order in which they are listed. */
import type { ReadDocument } from './documents.ts';
import type { Tool } from './tool.ts';
import { componentTools } from './tools/components.ts';
import { explainDrop } from './tools/explain-drop.ts';
import { listTools } from './tools/lists.ts';
import { readTool } from './tools/read.ts';
import { runTools } from './tools/runs.ts';

export const createTools = (document: ReadDocument): readonly Tool[] => [
  ...listTools,
  explainDrop,
  readTool(document),
  ...componentTools,
  ...runTools,
];
