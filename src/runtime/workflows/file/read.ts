/** `workflow.yaml` as the workflow that it describes, or why it cannot run (pure). */
import type {
  Diagnostic,
  WorkflowDefinition,
  WorkflowSettings,
} from '../../../protocol/workflow.ts';
import { checkConcurrencyKey } from './concurrency-key.ts';
import { faultsOf } from './issues.ts';
import { textPositions, type TextPositions } from './positions.ts';
import { checkReads } from './reads.ts';
import type { Report } from './report.ts';
import { withFilterCode } from './rules.ts';
import { workflowSchema, type SettingsInFile, type WorkflowInFile } from './schema.ts';
import { readSteps } from './steps.ts';
import { readTriggers } from './triggers.ts';
import {
  mostProblems,
  placeOf,
  yamlValues,
  type Located,
  type Problem,
  type Span,
} from '../../../workflow-file/yaml-values.ts';

export interface WorkflowRead {
  /** Undefined as soon as one diagnostic is an error. */
  readonly definition?: WorkflowDefinition;
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Whatever the text is, this ends and never throws. Unknown keys are warnings, because files of the platform may
 * have keys that nobody has seen yet. What needs more than the text is not looked at: whether files and components
 * exist, whether the code of an expression is whole.
 */
export function readWorkflow(text: string): WorkflowRead {
  // Editors do not count it.
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const positions = textPositions(bare);
  const { root, problems: found } = yamlValues(bare);
  const problems: Problem[] = [...found];
  let definition: WorkflowDefinition | undefined;
  if (root !== undefined) {
    const report: Report = (severity, path, message, ofKey = false) => {
      if (problems.length >= mostProblems) return;
      problems.push({ severity, message, span: spanOf(placeOf(root.at, path), ofKey, bare) });
    };
    const value = withFilterCode(root.value);
    for (const fault of faultsOf(workflowSchema.safeParse(value).error?.issues ?? [], value)) {
      report(fault.severity, fault.path, fault.message, fault.ofKey);
    }
    if (!hasErrors(problems)) {
      const lineOf = (path: readonly PropertyKey[]): number =>
        positions.at(placeOf(root.at, path).span.start).line;
      definition = definitionOf(value as WorkflowInFile, report, lineOf);
      checkReads(root.value, report);
    }
  }
  return {
    ...(definition !== undefined && !hasErrors(problems) && { definition }),
    diagnostics: diagnosticsOf(problems, positions),
  };
}

function definitionOf(
  file: WorkflowInFile,
  report: Report,
  lineOf: (path: readonly PropertyKey[]) => number,
): WorkflowDefinition {
  return {
    name: file.name,
    inactive: file.inactive === true,
    settings: settingsOf(file.settings ?? {}, report),
    triggers: readTriggers(file.triggers ?? [], report),
    steps: readSteps(file.steps ?? [], report, lineOf),
  };
}

const unitMs = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;

function settingsOf(settings: SettingsInFile, report: Report): WorkflowSettings {
  const key = settings.concurrency?.key;
  if (key !== undefined) checkConcurrencyKey(key, report);
  const { lambda_timeout: timeoutSeconds, lambda_memory: memoryMb, throttle } = settings;
  return {
    errorNotification: settings.error_notification ?? true,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(memoryMb !== undefined && { memoryMb }),
    autoRetry: settings.auto_retry ?? false,
    dataRetention: settings.data_retention ?? true,
    workers: settings.concurrency?.workers ?? 16,
    ...(key !== undefined && { concurrencyKey: key }),
    ...(throttle !== undefined && {
      throttle: {
        limit: throttle.limit,
        intervalMs: throttle.interval * unitMs[throttle.unit ?? 'second'],
      },
    }),
    queueSize: settings.queue_size ?? 10_000,
    isolateSteps: settings.isolate === 'step',
  };
}

function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

/** The marked range: a key if it is at fault or has no value, and the first line of a longer value. */
function spanOf({ span, key }: Located, ofKey: boolean, text: string): Span {
  if (key !== undefined && (ofKey || span.start === span.end)) return key;
  const [firstLine = ''] = text.slice(span.start, span.end).split(/\r?\n/, 1);
  return { start: span.start, end: span.start + firstLine.length };
}

function diagnosticsOf(problems: readonly Problem[], positions: TextPositions): Diagnostic[] {
  const seen = new Set<string>();
  return problems
    .toSorted((a, b) => a.span.start - b.span.start)
    .flatMap(({ severity, message, span }) => {
      const same = `${span.start} ${message}`;
      if (seen.has(same)) return [];
      seen.add(same);
      const start = positions.at(span.start);
      const end = positions.at(span.end);
      return [{ severity, message, ...start, endLine: end.line, endColumn: end.column }];
    });
}
