import { parseJson } from '../json.ts';
import { assign } from '../values.ts';

/** The names that expressions see. `steps` and `event` are what the step's own code is given, too. */
export interface Scope {
  readonly steps: Readonly<Record<string, unknown>>;
  /** The event that started the execution: `steps.trigger.event`. */
  readonly event: unknown;
  readonly process: { readonly env: Readonly<Record<string, string | undefined>> };
}

/** The trigger of the execution, as JSON texts. */
export interface TriggerTexts {
  readonly event: string;
  readonly context: string;
}

/**
 * Characters of JSON above which a step's exports are parsed only when they are asked for. Smaller ones are
 * plain values, so that a debugger and `console.log(steps)` show them.
 */
const parsedAtOnce = 256 * 1024;

/**
 * The scope of one step. Each value is parsed afresh: what a step changes in its `steps` is not seen by the
 * next (W7).
 * @param exportsOf each finished step's exports as JSON text, in order, by name
 * @param env what `process.env` is in expressions; by default the process's own. It is copied when an
 * expression asks for it.
 */
export function scopeOf(
  exportsOf: Iterable<readonly [name: string, json: string]>,
  trigger: TriggerTexts,
  env: NodeJS.ProcessEnv = process.env,
): Scope {
  const event = parseJson(trigger.event) as unknown;
  const steps: Record<string, unknown> = {
    trigger: { event, context: parseJson(trigger.context) as unknown },
  };
  for (const [name, json] of exportsOf) {
    if (json.length > parsedAtOnce) parseLater(steps, name, json);
    else assign(steps, name, parseJson(json));
  }
  return { steps, event, process: new ScopeProcess(env) };
}

function parseLater(steps: Record<string, unknown>, name: string, json: string): void {
  const settle = (value: unknown): unknown => {
    Object.defineProperty(steps, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return value;
  };
  Object.defineProperty(steps, name, {
    get: () => settle(parseJson(json)),
    set: settle,
    enumerable: true,
    configurable: true,
  });
}

/** All that expressions see of the process. */
class ScopeProcess {
  readonly #given: NodeJS.ProcessEnv;
  #copy: Readonly<Record<string, string | undefined>> | undefined;

  constructor(env: NodeJS.ProcessEnv) {
    this.#given = env;
  }

  get env(): Readonly<Record<string, string | undefined>> {
    // Without a prototype: a variable that is not set is undefined, also one named `constructor`.
    this.#copy ??= Object.freeze(
      Object.assign(Object.create(null) as Record<string, string | undefined>, this.#given),
    );
    return this.#copy;
  }
}
