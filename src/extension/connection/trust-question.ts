import * as vscode from 'vscode';
import type { TrustQuestion } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { trustDetail } from './trust-detail.ts';

/**
 * Asks a person whether these components of others may run. Resolves with true after a yes to all.
 * @throws WeirError `trust_needed` after a no, with what came of it: the runtime's sentence is for who was not asked
 */
export async function approveComponents(questions: readonly TrustQuestion[]): Promise<boolean> {
  const [first, ...others] = questions;
  if (first === undefined) return true;
  const { key, component_version: version, publisher, registry } = first;
  const of = publisher === registry ? '' : ` of ${publisher}`;
  const what =
    others.length === 0 ? `${key} ${version}${of}` : `${questions.length} components of others`;
  const allow = 'Allow';
  const chosen = await vscode.window.showWarningMessage(
    `Allow ${what} to run with your rights?`,
    { modal: true, detail: questions.map(trustDetail).join('\n\n') },
    allow,
  );
  if (chosen === allow) return true;
  throw new WeirError(
    'trust_needed',
    `Nothing of ${what} was run, and nothing was changed: you did not allow it.`,
  );
}
