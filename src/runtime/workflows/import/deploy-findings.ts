/** Findings of the deploy's check that an import does not have itself (pure). */
import type { FolderCheck } from '../lifecycle/check-folder.ts';
import type { Finding } from './report.ts';

/**
 * @param file absolute path of `workflow.yaml`
 * @param known earlier findings, which are not repeated
 */
export function deployFindings(
  check: FolderCheck,
  file: string,
  known: readonly Finding[],
): Finding[] {
  const isAsked = (step: unknown, ...kinds: readonly string[]): boolean =>
    known.some(
      (one) =>
        one.step === step &&
        (one.question === undefined ? one.state === 'cannot' : kinds.includes(one.question.kind)),
    );
  const wrong = check.wrong.flatMap((detail): Finding[] => {
    const step = typeof detail['step'] === 'string' ? detail['step'] : null;
    if (isAsked(step, 'component', 'emitter')) return [];
    if (detail.prop === undefined && isAsked(step, 'account')) return [];
    const place = { file: detail.file ?? file, line: detail.line ?? 1, step };
    const isValue = detail.prop !== undefined || step === null;
    return [{ ...place, state: isValue ? 'answer' : 'cannot', message: sentence(detail, step) }];
  });
  const packages = check.packages.map((detail): Finding => {
    const step = typeof detail['step'] === 'string' ? detail['step'] : null;
    const message = `${detail.message} A deploy asks before it installs it.`;
    return { state: 'note', message, file, line: detail.line ?? 1, step };
  });
  const needs = check.needs.flatMap(({ kind, step, line, message }): Finding[] => {
    if (kind === 'account' && isAsked(step, 'account')) return [];
    return [{ state: kind === 'account' ? 'answer' : 'note', message, file, line, step }];
  });
  const warnings = check.warnings.map(({ message, line }): Finding => ({
    state: 'note',
    message,
    file,
    line,
    step: null,
  }));
  return [...wrong, ...packages, ...needs, ...warnings];
}

/** The report names the step beside it. */
function sentence({ message }: { readonly message: string }, step: string | null): string {
  if (step === null) return message;
  return message.startsWith(`${step}: `)
    ? message.slice(step.length + 2)
    : message.startsWith(`${step}.`)
      ? message.slice(step.length + 1)
      : message;
}
