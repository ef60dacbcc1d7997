import { allLongSentences, allTexts } from './words/texts.mts';
import { faultsOf } from './words/rules.mts';

/**
 * Prints every text that people read, with its place, so that one can read them in one go.
 *
 *     node scripts/texts.mts [--faults]
 *
 * With `--faults`: those alone that are not plain English (words/rules.mts), the sentences of pages with more than 30 words
 * (words/sentences.mts), and exit code 1 if there are any.
 */
const onlyFaults = process.argv.includes('--faults');
for (const { file, line, text } of allTexts()) {
  const faults = onlyFaults ? faultsOf(text) : [];
  if (onlyFaults && faults.length === 0) continue;
  const said = onlyFaults ? `${faults.join('; ')}\n    ${text}` : text;
  console.log(`${file}:${line}  ${said}`);
  if (onlyFaults) process.exitCode = 1;
}

for (const { file, line, words, text } of onlyFaults ? allLongSentences() : []) {
  console.log(
    `${file}:${line}  ${words} words: make two sentences of it, each with an actor\n    ${text}`,
  );
  process.exitCode = 1;
}
