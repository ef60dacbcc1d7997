/** Every tool, in the order in which they are listed. */
import type { Tool } from './tool.ts';
import { componentTools } from './tools/components.ts';
import { componentFileTools } from './tools/component-files.ts';
import { explainDrop } from './tools/explain-drop.ts';
import { listTools } from './tools/lists.ts';
import { readTool } from './tools/read.ts';
import { runTools } from './tools/runs.ts';
import { testTools } from './tools/tests.ts';

export const tools: readonly Tool[] = [
  ...listTools,
  explainDrop,
  readTool,
  ...componentFileTools,
  ...componentTools,
  ...runTools,
  ...testTools,
];
