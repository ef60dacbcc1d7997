/** Problems of `settings.concurrency.key` that its text shows (pure). */
import { expressionsIn } from '../../../protocol/expression-text.ts';
import type { Report } from './report.ts';

const path = ['settings', 'concurrency', 'key'] as const;

export function checkConcurrencyKey(key: string, report: Report): void {
  const found = expressionsIn(key);
  if (found.some(({ closed }) => !closed)) {
    report('error', path, 'This {{ is never closed with }}.');
    return;
  }
  if (found.length === 0) {
    const message =
      'This is the same text for all executions: put what tells them apart into {{ … }}, as in "{{event.body.customer}}", or use "workers: 1".';
    report('error', path, message);
    return;
  }
  for (const { code } of found) {
    const step = /(?<![\w$.])steps(?:\.(?!trigger\b)(\w+)|\[)/.exec(code);
    if (step === null) continue;
    const message = `It is asked for before the first step runs: "${step[0]}" is not known yet. Use "event", which started it.`;
    report('error', path, message);
    return;
  }
}
