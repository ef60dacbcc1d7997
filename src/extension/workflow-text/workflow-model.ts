import * as vscode from 'vscode';
import { stepsIn, type StepPlace } from '../../workflow-file/steps-in.ts';
import { recentValues } from '../../workflow-file/recent-values.ts';
import { placeOf, type Located, type Path } from '../../workflow-file/yaml-values.ts';
import { stepsInText } from '../workflows/workflow-files.ts';
import { stepNameAt } from './expression-at.ts';

export interface WorkflowModel {
  readonly root: unknown;
  readonly steps: readonly StepPlace[];
  /** The range of what is at a path. */
  readonly rangeOf: (path: Path) => vscode.Range;
}

interface Whole {
  readonly steps: readonly StepPlace[];
  readonly root: unknown;
  readonly at: Located;
  /** Whether the text is still the one that this was read from. */
  readonly version: number;
}

/** The last whole text of each document: while one types, the text in between can often not be read. */
const last = new WeakMap<vscode.TextDocument, Whole>();

/** Undefined for a text that cannot be read as YAML now. */
export function modelOf(document: vscode.TextDocument): WorkflowModel | undefined {
  const known = wholeOf(document);
  if (known === undefined || known.version !== document.version) return undefined;
  const rangeOf = (path: Path): vscode.Range => {
    const { span } = placeOf(known.at, path);
    return new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
  };
  return { root: known.root, steps: known.steps, rangeOf };
}

/** The names that expressions of the step at a line read, and which of them are loops around it, as far as that is known. */
export function namesSeenAt(
  document: vscode.TextDocument,
  line: number,
): Pick<StepPlace, 'sees' | 'loops'> {
  const inText = stepsInText(document.getText());
  const name = stepNameAt(inText, line);
  const place = wholeOf(document)?.steps.find(({ namespace }) => namespace === name);
  if (place !== undefined) return place;
  const before = inText.filter((step) => step.line < line && step.namespace !== name);
  return {
    sees: new Set(['trigger', ...before.map(({ namespace }) => namespace)]),
    loops: new Set(),
  };
}

function wholeOf(document: vscode.TextDocument): Whole | undefined {
  const known = last.get(document);
  if (known?.version === document.version) return known;
  const { root, problems } = recentValues(document.getText());
  if (root === undefined || problems.some(({ severity }) => severity === 'error')) return known;
  const read = {
    root: root.value,
    at: root.at,
    steps: [...stepsIn(root.value)],
    version: document.version,
  };
  last.set(document, read);
  return read;
}
