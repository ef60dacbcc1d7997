import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dryRunOfProcess } from '../dry-run-of-process.ts';
import { ScriptChild } from './child.ts';
import type { Script, StepDollar } from './script.ts';

/**
 * Runs a script. Lines that it appends to `$PIPEDREAM_EXPORTS` as `key=value` or `key:json=…` are exported. A code
 * other than 0 ends only this step: the workflow continues, as on the platform.
 */
export async function runBash(
  { program, code, file }: Script,
  steps: Readonly<Record<string, unknown>>,
  $: StepDollar,
): Promise<undefined> {
  const dry = dryRunOfProcess();
  // Programs that a shell starts cannot be held back.
  if (dry !== undefined) throw dry.refuse(`The Bash script ${file}`);
  // The folder of the leg is removed at its end, however this process ends.
  const leg = tmpdir();
  const own = await mkdtemp(join(leg, '.step-'));
  try {
    const [script, stepsFile, exportsFile] = ['script.sh', 'steps.json', 'exports'].map((name) =>
      join(own, name),
    ) as [string, string, string];
    await Promise.all([
      writeFile(script, code),
      writeFile(stepsFile, JSON.stringify(steps)),
      writeFile(exportsFile, ''),
    ]);
    const child = new ScriptChild(program, [script], {
      cwd: leg,
      pipes: 0,
      env: {
        ...process.env,
        TMPDIR: leg,
        PIPEDREAM_STEPS: stepsFile,
        PIPEDREAM_EXPORTS: exportsFile,
      },
    });
    const ending = await child.ended;
    if (ending !== undefined) console.warn(`${file} ${ending}; the workflow goes on.`);
    const exported = await readFile(exportsFile, 'utf8').catch(() => '');
    for (const [name, value] of readExports(exported)) $.export(name, value);
    return undefined;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** The beginning of an export; a line without one continues the value of the previous line. */
const beginning = /^([A-Za-z_$][\w$.-]*)(:json)?=(.*)$/s;

/**
 * Whether a line that looks like an export belongs to the value before it: within `-----BEGIN …` and `-----END …`, and
 * as the last line of base64, whose padding is no sign of equality.
 */
function goesOn(lines: readonly string[] | undefined, line: string): boolean {
  if (lines === undefined) return false;
  const from = lines.findLastIndex((one) => /^-----BEGIN .*-----$/.test(one));
  if (from !== -1 && !lines.slice(from).some((one) => /^-----END .*-----$/.test(one))) return true;
  const before = lines.at(-1) ?? '';
  return (
    /^[A-Za-z0-9+/]+={1,2}$/.test(line) &&
    line.length % 4 === 0 &&
    before.length >= line.length &&
    before.length % 4 === 0 &&
    /^[A-Za-z0-9+/]{20,}$/.test(before)
  );
}

/** @throws SyntaxError naming the export that is not JSON */
export function readExports(text: string): [name: string, value: unknown][] {
  const found: { name: string; isJson: boolean; lines: string[] }[] = [];
  for (const line of text.replace(/\r?\n$/, '').split(/\r?\n/)) {
    const [, name, json, value] = beginning.exec(line) ?? [];
    if (name !== undefined && !goesOn(found.at(-1)?.lines, line)) {
      found.push({ name, isJson: json !== undefined, lines: [value ?? ''] });
    } else found.at(-1)?.lines.push(line);
  }
  return found.map(({ name, isJson, lines }) => {
    const value = lines.join('\n');
    if (!isJson) return [name, value];
    try {
      return [name, JSON.parse(value) as unknown];
    } catch (error) {
      throw new SyntaxError(`The export ${name} is not JSON: ${(error as Error).message}`);
    }
  });
}
