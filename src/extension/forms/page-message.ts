import type { PageMessage, TimerValue, Values } from '../../webview/prop-form/messages.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks what a page sent. The page shows labels and descriptions of untrusted components, so it is
 * not trusted either.
 * @returns undefined for anything that is not a message of ours
 */
export function parsePageMessage(sent: unknown): PageMessage | undefined {
  if (!isFields(sent) || typeof sent['t'] !== 'string') return undefined;
  return Object.hasOwn(parsers, sent['t'])
    ? parsers[sent['t'] as PageMessage['t']](sent)
    : undefined;
}

const parsers: Readonly<Record<PageMessage['t'], (sent: Fields) => PageMessage | undefined>> = {
  ready: () => ({ t: 'ready' }),
  retry: () => ({ t: 'retry' }),
  stop: () => ({ t: 'stop' }),
  dismiss: () => ({ t: 'dismiss' }),
  submit: ({ values }) => (isFields(values) ? { t: 'submit', values } : undefined),
  copyEndpoint: ({ prop }) => (isText(prop) ? { t: 'copyEndpoint', prop } : undefined),
  copyWebhook: ({ account }) => (isText(account) ? { t: 'copyWebhook', account } : undefined),
  signingSecret: ({ account }) => (isText(account) ? { t: 'signingSecret', account } : undefined),
  secret: ({ prop, value }) =>
    isText(prop) && isText(value) ? { t: 'secret', prop, value } : undefined,
  props: ({ request, values }) =>
    isRequest(request) && isFields(values) ? { t: 'props', request, values } : undefined,
  options: ({ request, prop, query, next, values }) =>
    isRequest(request) && isText(prop) && isText(query) && isFields(values)
      ? { t: 'options', request, prop, query, next: next === true, values }
      : undefined,
  schedule: ({ request, prop, timer }) => {
    const checked = parseTimer(timer);
    return isRequest(request) && isText(prop) && checked !== undefined
      ? { t: 'schedule', request, prop, timer: checked }
      : undefined;
  },
  connect: ({ app, account }) =>
    isText(app) && (account === null || isText(account))
      ? { t: 'connect', app, account }
      : undefined,
  account: ({ app, name, credentials, isShared }) =>
    isText(app) && isText(name) && isTexts(credentials)
      ? {
          t: 'account',
          app,
          name,
          credentials,
          ...(typeof isShared === 'boolean' && { isShared }),
        }
      : undefined,
};

function parseTimer(sent: unknown): TimerValue | undefined {
  if (!isFields(sent)) return undefined;
  const { cron, timezone, intervalSeconds } = sent;
  if (isText(cron)) return isText(timezone) ? { cron, timezone } : { cron };
  return typeof intervalSeconds === 'number' ? { intervalSeconds } : undefined;
}

function isFields(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isFields(value) && Object.values(value).every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isRequest(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
