/** Results of tests as JUnit XML, which CI systems read (pure). */
import { type TestEnd, troubleOf } from './tests.ts';

/** A suite for each workflow and source. */
export function junitText(ends: readonly TestEnd[]): string {
  const names = [...new Set(ends.map(({ subject }) => subject))];
  const suites = names.map((name) => {
    const all = ends.filter(({ subject }) => subject === name);
    const cases = all.map(caseText).join('\n');
    return `  <testsuite ${attributes({ name, ...countsOf(all) })}>\n${cases}\n  </testsuite>`;
  });
  const head = attributes({ name: 'weir', ...countsOf(ends) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${head}>\n${suites.join('\n')}\n</testsuites>\n`;
}

function countsOf(ends: readonly TestEnd[]): Record<string, string> {
  const failed = ends.filter(({ passed, error }) => !passed && error === null).length;
  const errors = ends.filter(({ error }) => error !== null).length;
  const ms = ends.reduce((sum, { duration_ms: one }) => sum + one, 0);
  return {
    tests: String(ends.length),
    failures: String(failed),
    errors: String(errors),
    time: secondsText(ms),
  };
}

function caseText(end: TestEnd): string {
  const { name, subject, file, passed, error, duration_ms: ms } = end;
  const head = attributes({ name, classname: subject, file, time: secondsText(ms) });
  if (passed) return `    <testcase ${head}/>`;
  const trouble = troubleOf(end);
  const kind = error === null ? 'failure' : 'error';
  const first = trouble[0] ?? '';
  const message = error === null ? `${first} differs` : first;
  return `    <testcase ${head}>\n      <${kind} ${attributes({ message })}>${escaped(trouble.join('\n'))}</${kind}>\n    </testcase>`;
}

function secondsText(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(' ');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Characters that XML cannot hold at all are left out. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"\n]/g, (character) => entities[character] ?? character);
}
