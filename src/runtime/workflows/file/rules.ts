/** Groups of rules, as conditions of branches and `_filter` have them (pure). */
import { isGroup, ruleOperator, ruleOperators } from '../../../protocol/rule-operators.ts';
import type { Diagnostic, Rule, Rules } from '../../../protocol/workflow.ts';
import { isRecord } from '../../../protocol/record.ts';
import { faultsOf } from './issues.ts';
import type { Report } from './report.ts';
import { rulesSchema } from './schema.ts';
import { shortened, type Path } from '../../../workflow-file/yaml-values.ts';

/**
 * The rules of a step that is a filter (`_filter`); undefined of every other step. They are all that such a step
 * does: git-sync writes no file for it.
 */
export function filterRules(props: Readonly<Record<string, unknown>>): unknown {
  const { _filter: filter } = props;
  return isRecord(filter) ? filter['rules'] : undefined;
}

/** @param severity of what keeps the rules from being asked */
export function checkRules(
  value: unknown,
  path: Path,
  report: Report,
  severity: Diagnostic['severity'],
): void {
  const faults = faultsOf(rulesSchema.safeParse(value).error?.issues ?? [], value);
  for (const { severity: own, path: inside, message, ofKey } of faults) {
    report(own === 'error' ? severity : own, [...path, ...inside], message, ofKey);
  }
  if (faults.some(({ severity: own }) => own === 'error')) return;
  const visit = (entry: Rule | Rules, at: Path): void => {
    if (isGroup(entry)) {
      for (const [index, inner] of entry.r.entries()) visit(inner, [...at, 'r', index]);
    } else if (ruleOperator(entry.op) === undefined) {
      const known = Object.keys(ruleOperators).join(' ');
      const message = `"${shortened(entry.op)}" is not an operator. There are ${known}, and each with "!" in front.`;
      report(severity, [...at, 'op'], message);
    }
  };
  visit(value as Rules, path);
}
