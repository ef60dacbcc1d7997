/** Every tool, in the order in which they are listed. */
import type { Tool } from './tool.ts';
import { componentTools } from './tools/components.ts';
import { explainDrop } from './tools/explain-drop.ts';
import { listTools } from './tools/lists.ts';
import { read } from './tools/read.ts';
import { runTools } from './tools/runs.ts';

export const tools: readonly Tool[] = [
  ...listTools,
  explainDrop,
  read,
  ...componentTools,
  ...runTools,
];
