export type Trigger = 'http' | 'timer';

/** A source that works as it is: file name and text. */
export function newSource(name: string, trigger: Trigger): { file: string; text: string } {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  const key = slug === '' ? 'new-component' : slug;
  const body = trigger === 'http' ? httpBody : timerBody;
  const text = `export default {
  key: ${JSON.stringify(key)},
  name: ${JSON.stringify(name)},
  description: "",
  version: "0.0.1",
  type: "source",
${body}};
`;
  return { file: `${key}.mjs`, text };
}

const httpBody = `  props: {
    http: "$.interface.http",
  },
  async run(event) {
    this.$emit(event.body, {
      summary: \`\${event.method} \${event.path}\`,
    });
  },
`;

const timerBody = `  dedupe: "unique",
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
`;
