/** A tool: its name, its input, what it may do, and how it answers. */
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Caller } from '../client/connection.ts';
import type { Scope } from '../protocol/scopes.ts';
import { badInput } from '../protocol/schemas/bad-input.ts';

/** The runtime as a call of an agent reaches it. */
export interface AgentCaller extends Caller {
  /** The agent's name for itself: kept with the runs that it starts. */
  readonly agent: string;
  /** The only accounts that it may use; null: all. */
  readonly allowed: readonly string[] | null;
}

/** The result of a tool, before it is cut and masked. */
export interface Answer {
  /** The operation it comes from. */
  readonly operation: string;
  readonly data: unknown;
  /** Document that has all of it, for `read`. */
  readonly uri?: string;
  /** For `after` of the next page. */
  readonly next?: string | null;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>;
  /** The scope that its operations need. */
  readonly scope: Scope;
  /** @throws WeirError `bad_input` for arguments that do not fit the schema */
  readonly run: (given: unknown, caller: AgentCaller) => Promise<Answer>;
}

interface Definition<I extends z.ZodObject> extends Omit<
  Tool,
  'inputSchema' | 'run' | 'annotations' | 'scope'
> {
  /** `read` for what only reads, else `deploy`, unless given. */
  readonly scope?: Scope;
  readonly input: I;
  readonly does: keyof typeof kinds;
  readonly run: (args: z.output<I>, caller: AgentCaller) => Promise<Answer>;
}

/**
 * The effects that calls may have. Inspecting a component runs its code, and so do its options: that is not reading,
 * and clients should ask before it.
 */
const kinds = {
  reads: hints(true, false, true, false),
  evaluates: hints(false, false, true, true),
  adds: hints(false, false, false, true),
  writes: hints(false, true, true, false),
  replaces: hints(false, true, true, true),
  /** Nobody knows the outside effects of code that others wrote. */
  runs: hints(false, true, false, true),
};

function hints(
  readOnlyHint: boolean,
  destructiveHint: boolean,
  idempotentHint: boolean,
  openWorldHint: boolean,
): Tool['annotations'] {
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
}

/** A tool of a schema: other arguments than it names are refused. */
export function tool<I extends z.ZodObject>(definition: Definition<I>): Tool {
  const { input, does, run, scope = does === 'reads' ? 'read' : 'deploy', ...rest } = definition;
  const schema = input.strict();
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // That a whole number is one a double can hold says nothing to a reader.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return {
    ...rest,
    inputSchema: { ...json, type: 'object' },
    annotations: kinds[does],
    scope,
    run(given, caller) {
      const parsed = schema.safeParse(given ?? {});
      if (!parsed.success) return Promise.reject(badInput(parsed.error));
      return run(parsed.data as z.output<I>, caller);
    },
  };
}
