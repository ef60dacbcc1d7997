/** What the page of a workflow shows, and what its parts can do. */
import type { PageMessage, WorkflowPage } from './messages.ts';

export interface WorkflowState {
  /** Null until it is there. */
  readonly page: WorkflowPage | null;
  readonly problem: string | null;
  /** Of each plot the mark that the Tab key leads to. */
  readonly current: { readonly durations: string | null; readonly success: number | null };
}

export interface WorkflowContext {
  readonly state: WorkflowState;
  readonly ask: (message: PageMessage) => void;
  /** A mark of a plot is where the keyboard is. */
  readonly focused: (part: Partial<WorkflowState['current']>) => void;
  /** Arrow keys, Home and End walk along the marks of a plot. */
  readonly walk: (event: KeyboardEvent) => void;
}
