/** The log of what agents asked and did: one JSON object a line, oldest first (pure). */
import type { AgentCall } from './catalogue.ts';

/** In the data folder. */
export const agentsLogFile = 'agents.jsonl';
/** The file before it. */
export const oldAgentsLogFile = 'agents.1.jsonl';

/** Prefix of the tools' names in the editor, where all extensions' tools are in one list. */
export const toolPrefix = 'weir_';

/** Oldest first. A line that a crash has cut off is left out. */
export function agentCallsIn(text: string): AgentCall[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as AgentCall];
    } catch {
      return [];
    }
  });
}
