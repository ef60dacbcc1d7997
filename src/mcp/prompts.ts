/** Prompts that a user picks: each becomes one message to the model (pure). */
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js';
import { WeirError } from '../protocol/errors.ts';

interface Definition extends Prompt {
  readonly arguments: { name: string; description: string; required: boolean }[];
  readonly text: (given: Readonly<Record<string, string>>) => string;
}

const definitions: readonly Definition[] = [
  {
    name: 'write_source',
    title: 'Write a source for an API',
    description: 'Write, try and deploy an event source for an API',
    arguments: [
      { name: 'api', description: 'the API, and what should become an event', required: true },
      { name: 'file', description: 'absolute path of the file to write', required: false },
    ],
    text: ({ api = '', file }) =>
      `Write an event source of Pipedream's component API for this: ${api}
1. Write it ${file === undefined ? 'into a new .ts file' : `to ${file}`} (write_component, unless you have a tool of your own): export default { key, name, version, type: "source", dedupe: "unique", props, run }. Prefer a webhook of the API ($.interface.http) to polling ($.interface.timer). Emit with this.$emit(body, { id, summary, ts }); keep state in this.db ($.service.db). Credentials come from an app prop, never from the code.
2. inspect_component, and correct what it warns of.
3. deploy_source, then run it with an example event, and look at list_events and list_logs. Run the same event twice: the second one has to be dropped.
4. save_test of the run that went well, and run_test. Where something is wrong, correct the file, and begin at 2 again (update_source instead of deploy_source).
5. Say what it does, its endpoint if it has one, and what I have to set up at the API.`,
  },
  {
    name: 'explain_failure',
    title: 'Why did this run fail?',
    description: 'Find out why a run failed and what to change',
    arguments: [
      { name: 'run_id', description: 'inv_… or exec_…', required: true },
      { name: 'id', description: 'source or workflow; not needed for exec_…', required: false },
    ],
    text: ({ run_id = '', id }) =>
      `Why did the run ${run_id}${id === undefined ? '' : ` of ${id}`} fail? Read it with get_run, what it logged with list_logs, and the code it ran. Say what was at fault (the code, a value of a prop, an account, the other side), and show the smallest change that would help. Change and replay nothing before I say so.`,
  },
];

export function listPrompts(): Prompt[] {
  return definitions.map(({ text: _text, ...prompt }) => prompt);
}

/** @throws WeirError `not_found` for the name, `bad_input` for an argument that is missing */
export function getPrompt(
  name: string,
  given: Readonly<Record<string, string>> = {},
): GetPromptResult {
  const found = definitions.find((prompt) => prompt.name === name);
  if (found === undefined) throw new WeirError('not_found', `There is no prompt "${name}".`);
  const missing = found.arguments.find(
    (argument) => argument.required && (given[argument.name] ?? '').trim() === '',
  );
  if (missing !== undefined) throw new WeirError('bad_input', `${missing.name} is missing.`);
  return {
    ...(found.description !== undefined && { description: found.description }),
    messages: [{ role: 'user', content: { type: 'text', text: found.text(given) } }],
  };
}
