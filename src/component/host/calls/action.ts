import { format } from 'node:util';
import type { ResumeUrls } from '../../../protocol/host-steps.ts';
import type { ConfiguredComponent } from '../instance/instance.ts';
import { exportJson } from '../json.ts';
import { warnExtra, warnUnexported } from '../output/ignored.ts';
import type { Invocation } from '../output/invocation.ts';
import { readSendHttp, sendHttp, type SendHttpRequest, warnOfHttp } from './send-http.ts';

/** `$.send` goes out when the action has ended, however it ended (P13.10). */
export async function runAction(
  component: ConfiguredComponent,
  self: object,
  steps: Readonly<Record<string, unknown>>,
  invocation: Invocation,
): Promise<string | undefined> {
  const { $, sendAll } = createStepApi(invocation);
  try {
    const returned = await component.run?.call(self, { steps, $ });
    return exportJson('The return value', returned);
  } finally {
    await sendAll();
  }
}

/** `$` of an action that runs by itself. `$.context` and `$.files` are undefined: components test for it. */
interface StepApi {
  export(name: unknown, value: unknown): void;
  respond(): Promise<void>;
  readonly flow: {
    exit(reason?: unknown): void;
    delay(ms?: unknown): ResumeUrls;
    suspend(timeoutMs?: unknown): ResumeUrls;
    rerun(delayMs?: unknown, context?: unknown, maxRetries?: unknown): ResumeUrls;
    refreshTimeout(): string;
    trigger(): Promise<void>;
  };
  readonly send: Readonly<Record<string, (config?: unknown) => void>>;
}

/** `.invalid` is reserved for names that never exist, so that these cannot be mistaken for URLs to call. */
const unusableUrls: ResumeUrls = {
  resume_url: 'http://outside-of-a-workflow.invalid/resume',
  cancel_url: 'http://outside-of-a-workflow.invalid/cancel',
};

/**
 * Outside a workflow there is nothing to pause, resume or answer (P13.8): the calls return
 * what they return on the platform, and a line in the log says that they had no effect.
 * @returns `$`, and what sends the requests that `$.send.http` was given
 */
function createStepApi(invocation: Invocation): { $: StepApi; sendAll: () => Promise<void> } {
  const requests: SendHttpRequest[] = [];
  const log = (level: 'info' | 'warn', text: string): void => {
    invocation.log({ at: Date.now(), level, text });
  };
  const needsWorkflow = (call: string): void => {
    log('warn', `${call} needs a workflow; this action runs by itself, so it had no effect.`);
  };
  const pause = (call: string) => (): ResumeUrls => {
    needsWorkflow(call);
    return { ...unusableUrls };
  };
  const unsent = (name: string): [string, () => void] => [
    name,
    () => needsWorkflow(`$.send.${name}`),
  ];
  const $: StepApi = {
    export(name: unknown, value: unknown, ...extra: readonly unknown[]): void {
      warnExtra(invocation, '$.export', '(name, value)', extra);
      const key = String(name);
      const json = exportJson(`The export "${key}"`, value);
      warnUnexported(invocation, name, value, json);
      if (json !== undefined && !invocation.ended) invocation.export(key, json);
    },
    respond(): Promise<void> {
      needsWorkflow('$.respond');
      return Promise.resolve();
    },
    flow: {
      // Without `return`, the rest of the step still runs (P13.6); nothing follows it here.
      exit(reason?: unknown): void {
        log('info', reason === undefined ? '$.flow.exit' : format('$.flow.exit: %s', reason));
      },
      delay: pause('$.flow.delay'),
      suspend: pause('$.flow.suspend'),
      rerun: pause('$.flow.rerun'),
      refreshTimeout: () => 'The time limit of an action that runs by itself cannot be extended.',
      trigger(): Promise<void> {
        needsWorkflow('$.flow.trigger');
        return Promise.resolve();
      },
    },
    send: {
      http: (config) => {
        requests.push(readSendHttp(config));
        warnOfHttp(config, invocation);
      },
      ...Object.fromEntries(['email', 's3', 'emit', 'sse', 'sms'].map(unsent)),
    },
  };
  return {
    $,
    sendAll: async () => {
      const sent = await Promise.all(requests.map(sendHttp));
      for (const line of sent) log('info', line);
    },
  };
}
