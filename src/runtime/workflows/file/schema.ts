/**
 * The keys that `workflow.yaml` may have: the keys of the platform's files, and those that only Weir knows. The checks
 * (`read.ts`) and the editors' JSON Schema (`json-schema.ts`) are derived from this schema.
 *
 * A message says what a value must be, as the end of a sentence: "settings.lambda_timeout must be …".
 */
import { z } from 'zod';

export const schemaName = 'workflow/2022.04';

const text = (): z.ZodString => z.string('must be text');
const flag = (): z.ZodBoolean => z.boolean('must be true or false');

function wholeNumber(least: number, most: number): z.ZodNumber {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message);
}

function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  const listed = words.map((word) => `"${word}"`).join(', ');
  return z.enum(words, `must be ${words.length === 1 ? '' : 'one of '}${listed}`);
}

/** The message about unknown keys is the known ones: `issues.ts` makes a sentence for each. */
function mapping<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? Object.keys(shape).join(' ')
        : 'must be a mapping of keys to values',
  });
}

function list<T extends z.ZodType>(item: T) {
  return z.array(item, 'must be a list').max(1000, 'must have at most 1000 entries');
}

const anyMapping = () => z.record(z.string(), z.unknown(), 'must be a mapping of names to values');

// Triggers

const httpAuth = mapping({
  type: oneOf(['none', 'token']).describe('`token`: callers send `Authorization: Bearer <token>`.'),
  token: text()
    .optional()
    .describe('What callers have to send. Better an expression: `"{{process.env.TOKEN}}"`.'),
});

export const httpProps = mapping({
  response: oneOf(['default', 'static', 'workflow'])
    .optional()
    .describe(
      'What callers get: `default` (200 at once), `static` (what stands below) or `workflow` (what a step gives to `$.respond`). When it is left out: what a step gives to `$.respond`, else 200 when the execution has ended.',
    ),
  status: wholeNumber(200, 599).optional().describe('Of a static response; 200 when left out.'),
  headers: z
    .record(
      z.string(),
      z.union([text(), z.number(), z.boolean()], 'must be text'),
      'must be a mapping of names to values',
    )
    .optional()
    .describe('Of a static response.'),
  body: z.unknown().optional().describe('Of a static response. What is not text is sent as JSON.'),
  auth: httpAuth.optional().describe('Who may call.'),
}).describe('How the endpoint answers.');

export const timerProps = mapping({
  cron: text()
    .optional()
    .describe('Five fields, or six with seconds in front, as in `"0 9 * * 1-5"`.'),
  timezone: text()
    .optional()
    .describe('Of `cron`: an IANA name such as `Europe/Berlin`; UTC when left out.'),
  intervalSeconds: z
    .number('must be a number of seconds')
    .min(1, 'must be at least 1')
    .max(316_224_000, 'must be at most 316224000 (ten years)')
    .optional()
    .describe('The time between two runs, instead of `cron`.'),
}).describe('When it fires: `cron` or `intervalSeconds`.');

export const emitterProps = mapping({
  emitter: text()
    .optional()
    .describe('The source (`dc_…`, or its name) or workflow (`p_…`) that is listened to.'),
  event_name: text()
    .optional()
    .describe('The channel, as `$errors`; the default one when left out.'),
}).describe('What it listens to.');

export const emailProps = mapping({});

export const triggerUses = {
  '$.interface.http': 'http',
  '$.interface.timer': 'timer',
  email: 'email',
  subscription: 'emitter',
} as const;

export type TriggerKind = (typeof triggerUses)[keyof typeof triggerUses];

const triggerKinds = Object.keys(triggerUses) as (keyof typeof triggerUses)[];

/**
 * How the platform names the source behind a subscription. Its `props` are that source's, and it runs there: here the
 * trigger listens to nothing until they name an `emitter`.
 */
const platformSource = /^sc_[0-9A-Za-z]+$/;
export const isPlatformSource = (uses: string): boolean => platformSource.test(uses);

const oneOfTriggers = `must be one of ${triggerKinds.map((kind) => `"${kind}"`).join(', ')} (a source is deployed by itself and listened to by its id: "id: dc_…")`;

/** `props` are checked by kind, which ids tell too. */
export const triggerSchema = mapping({
  id: z
    .string('must be text')
    .regex(
      /^(?:hi|ti|ei|dc|sub|p)_[0-9A-Za-z]+$/,
      'must begin with hi_, ti_, ei_, dc_, sub_ or p_ and go on in letters and digits',
    )
    .optional()
    .describe(
      'As git-sync writes it: `hi_` HTTP, `ti_` timer, `ei_` e-mail, `dc_` source, `sub_` subscription, `p_` workflow. One that is written by hand needs none.',
    ),
  uses: z
    .union(
      [
        z.enum(triggerKinds as [keyof typeof triggerUses, ...(keyof typeof triggerUses)[]]),
        z.string().regex(platformSource, oneOfTriggers),
      ],
      oneOfTriggers,
    )
    .optional()
    .describe('What kind of trigger it is. Not needed where the id says it.'),
  props: z.unknown().optional().describe('How it is set up; by kind.'),
}).describe('Starts an execution.');

// Steps

const namespace = z
  .string('must be text')
  .regex(
    /^[A-Za-z_$][A-Za-z0-9_$]{0,99}$/,
    'must be a name of at most 100 letters, digits and "_" that does not begin with a digit',
  )
  .refine((name) => name !== 'trigger', 'must not be "trigger": that is what started the execution')
  .refine((name) => name !== '__proto__', 'must be another name')
  .describe('The name of the step: later ones read `steps.<namespace>`. Unique in the workflow.');

const common = {
  namespace,
  disabled: flag().optional().describe('Left out when the workflow runs.'),
  notes: text().nullish().describe('For readers; Markdown.'),
  note: text().nullish().meta({ description: 'As `notes`, in older files.', deprecated: true }),
};

const props = anyMapping()
  .nullish()
  .describe(
    'What the step is configured with, by name of the prop. `{{ … }}` in a text is JavaScript that knows `steps`, `event` and `process.env`.',
  );

export const actionSchema = mapping({
  ...common,
  runtime: text().nullish().meta({
    description:
      'Written by the platform; without effect here, where the ending of the file decides.',
    deprecated: true,
  }),
  uses: z
    .string('must name the code of the step, as in "./name/entry.ts"')
    .describe(
      'The code: `./<namespace>/entry.ts` (or js, mjs, mts, py, sh), the file of a component, or `key@version` of a published one.',
    ),
  props,
  _props_cursor: z
    .unknown()
    .optional()
    .meta({ description: 'Written by the platform; without effect here.', deprecated: true }),
  retry: mapping({
    max: wholeNumber(0, 100).describe('How many times the step is tried again after an error.'),
    backoff_ms: wholeNumber(0, 86_400_000)
      .optional()
      .describe(
        'Milliseconds before the first retry; doubled for each further one. 1000 when left out.',
      ),
  })
    .optional()
    .describe('Tries the step again when it fails.'),
  on_error: oneOf(['stop', 'continue'])
    .optional()
    .describe('`continue`: the execution goes on with the next step when this one has failed.'),
}).describe('A step that runs code.');

const rule = mapping({
  a: z.unknown().optional().describe('What is looked at; mostly an expression.'),
  op: text().describe('The operator.'),
  b: z.unknown().optional().describe('What it is compared with.'),
});

/** Rules nest; written out by hand because the type of a schema cannot refer to itself. */
export interface RulesInFile {
  t: 'and' | 'or';
  r: ({ a?: unknown; op: string; b?: unknown } | RulesInFile)[];
}

export const rulesSchema: z.ZodType<RulesInFile> = mapping({
  t: oneOf(['and', 'or']).describe('Whether all rules have to hold or one of them.'),
  get r() {
    return list(z.union([rule, rulesSchema])).describe('Rules, or further groups of rules.');
  },
}).describe('A group of rules.');

const when = z
  .union([rulesSchema, z.unknown()])
  .optional()
  .describe(
    'When the branch runs: `always`, `never`, an expression, or rules. Of a `switch`: the value that `on` has to equal, or rules.',
  );

/** Names are parts of paths such as `each_1[3].post`. */
const branchName = z
  .string('must be text')
  .regex(/^[^.[\]/\\]{1,100}$/, 'must be 1 to 100 characters without . / \\ [ ]')
  .refine((name) => name !== 'else' && name !== '__proto__', 'must be another name');

export interface ActionInFile extends z.output<typeof actionSchema> {
  control?: undefined;
}
export interface BranchInFile {
  name: string;
  when?: unknown;
  steps?: StepInFile[] | null | undefined;
}
export interface BlockInFile {
  namespace: string;
  control: 'ifelse' | 'switch' | 'parallel' | 'each';
  disabled?: boolean | undefined;
  on?: unknown;
  branches?: BranchInFile[] | null | undefined;
  else?: { disabled?: boolean | undefined; steps?: StepInFile[] | null | undefined } | undefined;
  steps?: StepInFile[] | null | undefined;
  concurrency?: number | undefined;
}
export type StepInFile = ActionInFile | BlockInFile;

export const stepsSchema: z.ZodType<StepInFile[] | null | undefined> = z.lazy(() =>
  list(stepSchema).nullish().describe('Run in this order.'),
);

export const blockSchema = mapping({
  ...common,
  control: oneOf(['ifelse', 'switch', 'parallel', 'each']).describe(
    '`ifelse`: the first branch whose condition holds. `switch`: the first whose value equals `on`. `parallel`: all branches side by side. `each`: the steps once per item of `on`.',
  ),
  on: z.unknown().optional().describe('`switch`: the value that is compared. `each`: the list.'),
  branches: list(
    mapping({
      name: branchName.describe('Names the branch in results and paths.'),
      when,
      steps: stepsSchema,
    }),
  )
    .nullish()
    .describe('Of `ifelse`, `switch` and `parallel`.'),
  else: mapping({
    disabled: flag().optional().describe('As if it did not stand there.'),
    steps: stepsSchema,
  })
    .optional()
    .describe('Of `ifelse` and `switch`: when no branch matches.'),
  steps: stepsSchema,
  concurrency: wholeNumber(1, 1000)
    .optional()
    .describe('Of `each`: how many items at a time; 1 when left out.'),
}).describe('A step that holds steps: branches or a loop.');

/** The second for what has `control`: see `optionFor` in `issues.ts`. */
export const stepSchema: z.ZodType<StepInFile> = z.union([actionSchema, blockSchema]);

// The whole

export const settingsSchema = mapping({
  error_notification: flag().optional().describe('Says in the editor, and by mail, when it fails.'),
  lambda_timeout: wholeNumber(1, 750)
    .optional()
    .describe('Seconds that the steps between two pauses may take together.'),
  lambda_memory: wholeNumber(128, 10_240).optional().describe('Of the process, in MB.'),
  auto_retry: flag().optional().describe('A failed execution is tried again from its failed step.'),
  data_retention: flag().optional().describe('false: only counts of its executions are kept.'),
  concurrency: mapping({
    workers: wholeNumber(1, 1000).optional().describe('Most executions at a time; 1 keeps order.'),
    key: text()
      .min(1, 'must not be empty')
      .max(2000, 'must have at most 2000 characters')
      .optional()
      .describe(
        'An expression over the event, as `{{event.body.customer}}`: executions of the same key run one after another.',
      ),
  })
    .optional()
    .describe('How many executions run at a time.'),
  throttle: mapping({
    limit: wholeNumber(0, 10_000).describe(
      'Most executions that start in each window; 0 holds all.',
    ),
    interval: wholeNumber(1, 10_000).describe('How long a window is, in units.'),
    unit: oneOf(['second', 'minute', 'hour']).optional().describe('second when left out.'),
  })
    .optional()
    .describe('How many executions start in each window of time.'),
  queue_size: wholeNumber(1, 10_000)
    .optional()
    .describe('Most executions that wait; what comes then is dropped and reported.'),
  isolate: oneOf(['step']).optional().describe('`step`: each step has a process of its own.'),
});

export const workflowSchema = mapping({
  schema: z
    .literal(schemaName, `must be "${schemaName}"`)
    .describe(`The format of this file: \`${schemaName}\`.`),
  name: text()
    .min(1, 'must not be empty')
    .max(500, 'must have at most 500 characters')
    .describe('Shown in lists.'),
  inactive: flag().optional().describe('Deployed switched off.'),
  settings: settingsSchema.nullish().describe('How it runs.'),
  triggers: list(triggerSchema).nullish().describe('What starts it; by hand is always possible.'),
  steps: stepsSchema,
}).describe('A workflow: what starts it, and its steps in order.');

export type WorkflowInFile = z.output<typeof workflowSchema>;
export type TriggerInFile = z.output<typeof triggerSchema>;
export type SettingsInFile = z.output<typeof settingsSchema>;
