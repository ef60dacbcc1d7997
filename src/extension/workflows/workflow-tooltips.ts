import * as vscode from 'vscode';
import type { Execution, StepRun, Workflow } from '../../protocol/catalogue.ts';
import { durationOfExecution, stateInWords, titleOfExecution } from './execution-line.ts';
import { durationOfStep, stepInWords, titleOfStep } from './step-line.ts';

const textLength = 2000;

/** Names and messages are not trusted: they are added as text or code, never as Markdown. */
export function workflowTooltip(workflow: Workflow): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(workflow.name).appendMarkdown(`** \`${workflow.id}\`\n\n`);
  for (const { type, endpoint_url: url, next_tick_at: tick, id } of workflow.triggers) {
    if (url !== undefined) text.appendCodeblock(url, 'text');
    else if (typeof tick === 'number') {
      text.appendMarkdown(`Next run: ${new Date(tick).toLocaleString()}\n\n`);
    } else text.appendText(`${type} ${id ?? ''}`).appendMarkdown('\n\n');
  }
  text.appendText(workflow.steps.map(({ path }) => path).join(' → ')).appendMarkdown('\n\n');
  return text.appendText(workflow.path);
}

export function executionTooltip(execution: Execution, now: number): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(titleOfExecution(execution));
  text.appendMarkdown(`** \`${execution.id}\`\n\n`);
  const state = stateInWords(execution, now) ?? execution.status;
  text.appendText(state).appendMarkdown('\n\n');
  const { stack } = execution.error ?? {};
  if (stack !== undefined) text.appendCodeblock(stack.slice(0, textLength), 'text');
  const started = new Date(execution.started_at ?? execution.created_at).toLocaleString();
  const facts = [started, durationOfExecution(execution)].filter((part) => part !== undefined);
  text.appendText(facts.join(' · ')).appendMarkdown('\n\n');
  return text.appendMarkdown(`Trace \`${execution.trace_id}\``);
}

export function stepTooltip(step: StepRun, now: number): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(titleOfStep(step)).appendMarkdown('**\n\n');
  const state = stepInWords(step, now) ?? step.status;
  text.appendText(state).appendMarkdown('\n\n');
  const { stack } = step.error ?? {};
  if (stack !== undefined) text.appendCodeblock(stack.slice(0, textLength), 'text');
  const value = step.return_value;
  if (value !== null && value !== undefined) {
    text.appendCodeblock((JSON.stringify(value, null, 2) ?? '').slice(0, textLength), 'json');
  }
  return text.appendText(durationOfStep(step) ?? '');
}
