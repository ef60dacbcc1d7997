import type { Diagnostic } from '../../../protocol/workflow.ts';
import type { Path } from '../../../workflow-file/yaml-values.ts';

/**
 * Notes a problem with the value at the path, or as near as there is one.
 * @param ofKey the key is marked instead of its value
 */
export type Report = (
  severity: Diagnostic['severity'],
  path: Path,
  message: string,
  ofKey?: boolean,
) => void;
