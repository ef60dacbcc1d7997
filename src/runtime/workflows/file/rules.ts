/** Groups of rules, as conditions of branches and `_filter` have them (pure). */
import { isGroup, ruleOperator, ruleOperators } from '../../../protocol/rule-operators.ts';
import type { Diagnostic, Rule, Rules } from '../../../protocol/workflow.ts';
import { isRecord } from '../../../protocol/record.ts';
import { faultsOf } from './issues.ts';
import type { Report } from './report.ts';
import { rulesSchema } from './schema.ts';
import { stepsIn } from '../../../workflow-file/steps-in.ts';
import { shortened, type Path } from '../../../workflow-file/yaml-values.ts';

/**
 * The rules of a step that is a filter (`_filter`); undefined of every other step. They are all that such a step
 * does: git-sync writes no file for it.
 */
export function filterRules(props: Readonly<Record<string, unknown>>): unknown {
  const { _filter: filter } = props;
  return isRecord(filter) ? filter['rules'] : undefined;
}

/**
 * A filter needs no code, and so no `uses`: one without gets the file that git-sync names.
 * @param root the values of a `workflow.yaml`, which stay as they are
 */
export function withFilterCode(root: unknown): unknown {
  const isBare = (step: Readonly<Record<string, unknown>>): boolean =>
    step['uses'] === undefined &&
    step['control'] === undefined &&
    isRecord(step['props']) &&
    filterRules(step['props']) !== undefined;
  if (![...stepsIn(root)].some(({ step }) => isBare(step))) return root;
  const copy = structuredClone(root);
  for (const { step, namespace } of stepsIn(copy)) {
    if (isBare(step)) Object.assign(step, { uses: `./${namespace}/entry.js` });
  }
  return copy;
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
