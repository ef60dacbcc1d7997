/** New components that work as they are (pure). */

export interface TemplateOptions {
  readonly name: string;
  readonly typescript: boolean;
  readonly db: boolean;
  readonly http: boolean;
  readonly timer: boolean;
}

export type Kind = 'source' | 'action' | 'app';

export interface NewFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A folder in kebab case with a file in snake case, an app `<app>/<app>.app`. */
export function newComponent(kind: Kind, options: TemplateOptions): NewFile {
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
