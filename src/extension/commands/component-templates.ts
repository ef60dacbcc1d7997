import type { ComponentKind } from '../component-files/find-component.ts';

export interface Template {
  readonly label: string;
  readonly detail: string;
  readonly kind: ComponentKind;
  /** Initial text of the name box. */
  readonly name: string;
  /** The code after `type`. */
  readonly body: string;
}

/** Components that work as they are. */
export const templates = {
  http: {
    label: '$(globe) HTTP source',
    detail: 'Runs on each request to its endpoint.',
    kind: 'source',
    name: 'New request',
    body: `  props: {
    http: { type: "$.interface.http", customResponse: true },
  },
  async run(event) {
    this.http.respond({ status: 200, body: "ok" });
    this.$emit(event.body, {
      summary: \`\${event.method} \${event.path}\`,
    });
  },
`,
  },
  timer: {
    label: '$(clock) Timer source',
    detail: 'Runs every 15 minutes and remembers what it has seen.',
    kind: 'source',
    name: 'New item',
    body: `  dedupe: "unique",
  props: {
    timer: {
      type: "$.interface.timer",
      default: { intervalSeconds: 15 * 60 },
    },
    db: "$.service.db",
  },
  async run(event) {
    const runs = (this.db.get("runs") ?? 0) + 1;
    this.db.set("runs", runs);
    this.$emit({ runs }, {
      id: runs,
      summary: \`Run \${runs}\`,
      ts: event.timestamp * 1000,
    });
  },
`,
  },
  hooks: {
    label: '$(plug) Source with hooks',
    detail: 'Registers its endpoint somewhere when it is activated, and takes it away again.',
    kind: 'source',
    name: 'New webhook event',
    body: `  dedupe: "unique",
  props: {
    http: "$.interface.http",
    db: "$.service.db",
  },
  hooks: {
    async activate() {
      // Register this.http.endpoint with the service, and keep the id it gives.
      this.db.set("webhookId", "42");
    },
    async deactivate() {
      // Take the registration with this id away again.
      this.db.set("webhookId", null);
    },
  },
  async run(event) {
    const { body } = event;
    this.$emit(body, {
      id: body?.id ?? event.headers["x-request-id"] ?? Date.now(),
      summary: \`Event \${body?.id ?? ""}\`,
      ts: Date.now(),
    });
  },
`,
  },
  action: {
    label: '$(play) Action',
    detail: 'Runs once with the values of its props and returns something.',
    kind: 'action',
    name: 'Say hello',
    body: `  props: {
    name: { type: "string", label: "Name", default: "world" },
  },
  async run({ $ }) {
    const greeting = \`Hello, \${this.name}!\`;
    $.export("$summary", greeting);
    return { greeting };
  },
`,
  },
} as const satisfies Record<string, Template>;

/** The file name and text of a new component. */
export function newComponent(
  name: string,
  { kind, body }: Template,
): { readonly file: string; readonly text: string } {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  const key = slug === '' ? 'new-component' : slug;
  const text = `export default {
  key: ${JSON.stringify(key)},
  name: ${JSON.stringify(name)},
  description: "",
  version: "0.0.1",
  type: ${JSON.stringify(kind)},
${body}};
`;
  return { file: `${key}.mjs`, text };
}
