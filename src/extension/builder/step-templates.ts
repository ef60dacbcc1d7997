/** The code of new steps, which works as it is (pure). */
import type { Language, NewStep } from '../../webview/builder/messages.ts';

/** The file extension of a step with code of its own; undefined for every other step. */
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

/** The input of the step: the item of its loop, otherwise the event. */
function codeIn(language: Language, loop: string | undefined): string {
  switch (language) {
    case 'js':
      return `export default {
  props: {},
  async run({ steps, $ }) {
    return ${loop === undefined ? event : itemOf(loop)};
  },
};
`;
    case 'ts':
      return `import { defineAction } from 'weir/component';

export default defineAction({
  name: 'Step',
  type: 'action',
  props: {},
  async run({ steps, $ }) {
    return ${loop === undefined ? event : itemOf(loop)};
  },
});
`;
    case 'py':
      return `def handler(pd: "pipedream"):
    return pd.steps${loop === undefined ? '["trigger"]["event"]' : `[${JSON.stringify(loop)}]["item"]`}
`;
    case 'sh':
      return `# $PIPEDREAM_STEPS is a file with what the steps before gave, as JSON.
echo said=hello >> "$PIPEDREAM_EXPORTS"
`;
  }
}

const event = 'steps.trigger.event';

function itemOf(loop: string): string {
  const isName = /^[a-z_$][\w$]*$/i.test(loop);
  return `steps${isName ? `.${loop}` : `[${JSON.stringify(loop)}]`}.item`;
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
