/** Finds `/tmp` in the code of a step; that folder is the machine's and shared by all executions (pure; P25.85). */
import type { StepLanguage } from '../file/uses.ts';

const comment: Readonly<Record<StepLanguage, RegExp>> = {
  node: /^\s*(?:\/\/|\/?\*)/,
  python: /^\s*#/,
  bash: /^\s*#/,
};

const literal: Readonly<Record<StepLanguage, RegExp>> = {
  node: /(['"`])\/tmp(?:\/|\1)/,
  python: /(['"])\/tmp(?:\/|\1)/,
  bash: /(?:^|[\s='":(<>])\/tmp(?:\/|\b)/,
};

/** How each language names the folder of the leg instead. */
const instead: Readonly<Record<StepLanguage, string>> = {
  node: 'os.tmpdir()',
  python: 'tempfile.gettempdir()',
  bash: '$TMPDIR',
};

/** @returns 1-based line of the first, and what to write instead; undefined if there is none */
export function literalTmp(
  code: string,
  language: StepLanguage,
): { readonly line: number; readonly instead: string } | undefined {
  const lines = code.split('\n');
  const at = lines.findIndex(
    (line) => literal[language].test(line) && !comment[language].test(line),
  );
  return at === -1 ? undefined : { line: at + 1, instead: instead[language] };
}
