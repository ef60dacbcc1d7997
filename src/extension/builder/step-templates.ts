/** The code of new steps, which works as it is (pure). */
import type { Language, NewStep } from '../../webview/builder/messages.ts';

/** The ending of the file of a step that brings code of its own; undefined for every other. */
export function languageOf(step: NewStep): Language | undefined {
  if (step.kind === 'code') return step.language;
  return step.kind === 'block' || step.kind === 'filter' || step.kind === 'component'
    ? undefined
    : 'js';
}

/** @param loop name of the innermost loop that it is in: its item is what the step works on */
export function codeFor(step: NewStep, loop?: string): string | undefined {
  if (step.kind === 'code') return codeIn(step.language, loop);
  if (step.kind === 'delay') return delay;
  if (step.kind === 'suspend') return suspend;
  return step.kind === 'end' ? end : undefined;
}

const code: Readonly<Record<Language, string>> = {
  js: `export default {
  props: {},
  async run({ steps, $ }) {
    return steps.trigger.event;
  },
};
`,
  ts: `import { defineAction } from 'weir/component';

export default defineAction({
  name: 'Step',
  type: 'action',
  props: {},
  async run({ steps, $ }) {
    return steps.trigger.event;
  },
});
`,
  py: `def handler(pd: "pipedream"):
    return pd.steps["trigger"]["event"]
`,
  sh: `# $PIPEDREAM_STEPS is a file with what the steps before gave, as JSON.
echo said=hello >> "$PIPEDREAM_EXPORTS"
`,
};

function codeIn(language: Language, loop: string | undefined): string {
  if (loop === undefined) return code[language];
  const name = JSON.stringify(loop);
  return code[language]
    .replace(
      'steps.trigger.event',
      /^[a-z_$][\w$]*$/i.test(loop) ? `steps.${loop}.item` : `steps[${name}].item`,
    )
    .replace('pd.steps["trigger"]["event"]', `pd.steps[${name}]["item"]`);
}

const delay = `export default {
  props: {
    seconds: { type: "integer", label: "Seconds", description: "How long the execution waits.", min: 1 },
  },
  async run({ $ }) {
    return $.flow.delay(this.seconds * 1000);
  },
};
`;

const suspend = `export default {
  props: {
    seconds: {
      type: "integer",
      label: "Seconds",
      description: "How long it waits to be called. After that the execution is cancelled.",
      min: 1,
    },
  },
  async run({ $ }) {
    const { resume_url, cancel_url } = $.flow.suspend(this.seconds * 1000);
    // Later steps find the request that resumes it as steps.<name>.$resume_data.
    console.log("Goes on when this is called:", resume_url);
    return { resume_url, cancel_url };
  },
};
`;

const end = `export default {
  props: {
    reason: { type: "string", label: "Reason", optional: true },
  },
  async run({ $ }) {
    return $.flow.exit(this.reason);
  },
};
`;
