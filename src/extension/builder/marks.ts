/** The problems of a text, at the parts of it that the builder shows (pure). */
import type { Mark, Path } from '../../webview/builder/messages.ts';
import { recentValues } from '../../workflow-file/recent-values.ts';
import { type Located } from '../../workflow-file/yaml-values.ts';

export interface Found {
  readonly severity: Mark['severity'];
  readonly message: string;
  readonly offset: number;
  /** From 1. */
  readonly line: number;
}

/** Each problem at the innermost value that contains it. */
export function marksOf(text: string, found: readonly Found[]): Mark[] {
  const { root } = recentValues(text);
  return found.map(({ offset, ...rest }) => ({
    ...rest,
    path: root === undefined ? [] : pathAt(root.at, offset),
  }));
}

function pathAt(at: Located, offset: number): Path {
  for (const [name, part] of at.parts) {
    const start = Math.min(part.span.start, part.key?.start ?? part.span.start);
    if (offset >= start && offset < Math.max(part.span.end, part.key?.end ?? 0)) {
      return [name, ...pathAt(part, offset)];
    }
  }
  return [];
}
