/** Asks for the values of props. */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { UsageError } from '../arguments.ts';
import type { Prompt } from '../prompt.ts';
import { typedValue } from './typed.ts';

/** @param note prints what was wrong with an answer; the question is then asked again */
export async function askProps(
  props: readonly ConfigurableProp[],
  prompt: Prompt,
  note: (sentence: string) => void,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const prop of props) {
    if (prop.description !== undefined) note(prop.description);
    const answer = await askOne(prop, prompt, note);
    if (answer !== undefined) answers[prop.name] = answer;
  }
  return answers;
}

async function askOne(
  prop: ConfigurableProp,
  prompt: Prompt,
  note: (sentence: string) => void,
): Promise<unknown> {
  for (;;) {
    const text = await prompt.ask(questionFor(prop), prop.secret === true);
    if (text.trim() === '') {
      if (prop.optional === true || prop.default !== undefined) return undefined;
      note('A value is needed; Ctrl-C gives up.');
      continue;
    }
    try {
      return typedValue(prop, textsOf(prop, text));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      note(error.message);
    }
  }
}

/** A list is typed with commas; JSON is left to be read as such. */
function textsOf(prop: ConfigurableProp, text: string): string[] {
  const isList = prop.type.endsWith('[]') && !text.trimStart().startsWith('[');
  return isList ? text.split(',').map((part) => part.trim()) : [text];
}

function questionFor(prop: ConfigurableProp): string {
  const label = prop.label ?? prop.name;
  const name = label === prop.name ? label : `${label} (${prop.name})`;
  if (prop.type === '$.interface.timer') return `${name}, such as 15m or 0 9 * * 1-5: `;
  if (prop.type.endsWith('[]')) return `${name}, separated by commas: `;
  return `${name}${prop.type === 'string' ? '' : `, ${prop.type}`}: `;
}
