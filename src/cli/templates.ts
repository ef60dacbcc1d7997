/** New components that work as they are (pure). */

export interface TemplateOptions {
  readonly name: string;
  readonly typescript: boolean;
  readonly db: boolean;
  readonly http: boolean;
  readonly timer: boolean;
}

export type Kind = 'source' | 'action' | 'app' | 'workflow';

export interface NewFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A folder in kebab case with a file in snake case, an app `<app>/<app>.app`. */
export function newComponent(kind: Exclude<Kind, 'workflow'>, options: TemplateOptions): NewFile {
  const words = wordsOf(options.name);
  const extension = options.typescript ? 'ts' : 'mjs';
  const body = { source: sourceBody, action: actionBody, app: appBody }[kind](options, words);
  const define = { source: 'defineSource', action: 'defineAction', app: 'defineApp' }[kind];
  const text = options.typescript
    ? `import { ${define} } from "weir/component";\n\nexport default ${define}({\n${body}});\n`
    : `export default {\n${body}};\n`;
  const folder = words.join(kind === 'app' ? '_' : '-');
  const file = `${words.join('_')}${kind === 'app' ? '.app' : ''}.${extension}`;
  return { path: `${folder}/${file}`, text };
}

/**
 * A folder in kebab case with `workflow.yaml` and the code of its first step. Without a trigger that was asked
 * for it has an endpoint.
 */
export function newWorkflow({ name, timer, http }: TemplateOptions): NewFile[] {
  const folder = wordsOf(name).join('-');
  return [
    { path: `${folder}/workflow.yaml`, text: workflowYaml(name, timer, http || !timer) },
    { path: `${folder}/greet/entry.ts`, text: greetStep },
    { path: `${folder}/answer/entry.ts`, text: answerStep(http || !timer) },
  ];
}

function workflowYaml(name: string, timer: boolean, http: boolean): string {
  const triggers = [
    http &&
      `  # Each request to its endpoint runs it. A step answers, with $.respond().
  - uses: $.interface.http
    props:
      response: workflow
`,
    timer &&
      `  - uses: $.interface.timer
    props:
      cron: "0 9 * * 1-5"
      timezone: UTC
`,
  ].filter((trigger) => trigger !== false);
  return `schema: workflow/2022.04
name: ${JSON.stringify(name)}

# What starts it. By hand is always possible: weir invoke
triggers:
${triggers.join('')}
# One after the other. What a step returns, later ones read.
steps:
  - namespace: greet
    uses: ./greet/entry.ts
    props:
      # A prop may be an expression of what was there before.
      who: "{{event.body?.who ?? 'world'}}"

  - namespace: answer
    uses: ./answer/entry.ts
    props:
      text: "{{steps.greet.$return_value.text}}"
`;
}

const greetStep = `import { defineAction } from "weir/component";

export default defineAction({
  name: "Greet",
  type: "action",
  props: {
    who: { type: "string", label: "Who" },
  },
  async run({ $ }) {
    $.export("$summary", \`Greeted \${this.who}\`);
    // Kept with the execution: later steps read it as steps.greet.$return_value.
    return { text: \`Hello, \${this.who}!\` };
  },
});
`;

/** @param answers whether a request may wait for an answer */
function answerStep(answers: boolean): string {
  const respond = answers
    ? `    // To whoever sent the request; without one it has no effect.
    await $.respond({ status: 200, body: { text: this.text } });
`
    : '';
  return `import { defineAction } from "weir/component";

export default defineAction({
  name: "Answer",
  type: "action",
  props: {
    text: { type: "string", label: "Text" },
  },
  async run({ $ }) {
${respond}    // An event of the workflow, for its listeners: weir events
    $.send.emit({ raw_event: { text: this.text } });
  },
});
`;
}

/** `New orders!` → `new`, `orders`; letters and digits of any script. */
export function wordsOf(name: string): string[] {
  return name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function head(
  { name }: TemplateOptions,
  words: readonly string[],
  type: 'source' | 'action',
): string {
  return `  key: ${JSON.stringify(words.join('-'))},
  name: ${JSON.stringify(name)},
  description: "",
  version: "0.0.1",
  type: "${type}",
`;
}

/** Without a trigger of its own it runs by hand, or by a source it listens to. */
function sourceBody(options: TemplateOptions, words: readonly string[]): string {
  const props = [
    options.http && `    http: "$.interface.http",\n`,
    options.timer && timerProp,
    options.db && `    db: "$.service.db",\n`,
  ].filter((prop) => prop !== false);
  const event = options.http ? 'event.body' : 'event';
  const counting = options.db
    ? `    const runs = (this.db.get("runs") ?? 0) + 1;
    this.db.set("runs", runs);
    this.$emit({ runs, event: ${event} }, { id: runs, summary: \`Run \${runs}\` });
`
    : `    this.$emit(${event}, { summary: ${JSON.stringify(options.name)} });\n`;
  const all = props.length === 0 ? '' : `  props: {\n${props.join('')}  },\n`;
  return `${head(options, words, 'source')}${all}  async run(event) {\n${counting}  },\n`;
}

const timerProp = `    timer: {
      type: "$.interface.timer",
      default: { intervalSeconds: 15 * 60 },
    },
`;

function actionBody(options: TemplateOptions, words: readonly string[]): string {
  return `${head(options, words, 'action')}  props: {
    text: { type: "string", label: "Text" },
  },
  async run({ $ }) {
    $.export("$summary", \`Got \${this.text.length} characters\`);
    return { text: this.text };
  },
`;
}

function appBody({ name }: TemplateOptions, words: readonly string[]): string {
  const slug = words.join('_');
  return `  type: "app",
  app: "${slug}",
  propDefinitions: {
    project: {
      type: "string",
      label: "Project",
      description: ${JSON.stringify(`A project of ${name}`)},
    },
  },
  methods: {
    headers() {
      return { authorization: \`Bearer \${this.$auth.api_key}\` };
    },
  },
`;
}
