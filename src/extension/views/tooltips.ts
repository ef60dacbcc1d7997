import * as vscode from 'vscode';
import type { EmittedEvent, Invocation, Source, Webhook } from '../../protocol/catalogue.ts';
import { countOf } from '../count-of.ts';
import { externalUrl } from '../external-url.ts';
import { durationOf, outcomeOf, titleOfRun } from './invocation-line.ts';

const payloadLength = 2000;

/** Names and payloads are not trusted: they are added as text or code, never as Markdown. */
export async function sourceTooltip(
  source: Source,
  events: number,
): Promise<vscode.MarkdownString> {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(source.name).appendMarkdown(`** \`${source.id}\`\n\n`);
  if (source.endpoint_url !== null) {
    const urls = new Set([source.endpoint_url, await externalUrl(source.endpoint_url)]);
    text.appendCodeblock([...urls].join('\n'), 'text');
  }
  if (source.webhook !== undefined) await appendWebhook(text, source.webhook);
  if (source.next_tick_at !== null) {
    text.appendMarkdown(`Next run: ${new Date(source.next_tick_at).toLocaleString()}\n\n`);
  }
  text.appendMarkdown(countOf(events, 'event'));
  if (source.dedupe !== null) text.appendMarkdown(` · dedupe: \`${source.dedupe}\``);
  text.appendMarkdown('\n\n');
  const error = source.last_invocation?.error;
  if (error !== undefined && error !== null) {
    text.appendMarkdown('Last run failed:\n').appendCodeblock(`${error.name}: ${error.message}`);
  }
  if (source.path !== null) {
    text.isTrusted = { enabledCommands: ['weir.openCode'] };
    const args = encodeURIComponent(JSON.stringify([source.id]));
    text
      .appendMarkdown('[')
      .appendText(source.path)
      .appendMarkdown(`](command:weir.openCode?${args})`);
  }
  return text;
}

/** Where the app sends its events, and what is missing. */
async function appendWebhook(
  text: vscode.MarkdownString,
  { url, register, secret_name: secret, has_secret: hasSecret }: NonNullable<Source['webhook']>,
): Promise<void> {
  if (url === null) {
    text.appendText('Without an account its app sends no events here.').appendMarkdown('\n\n');
    return;
  }
  text.appendCodeblock([...new Set([url, await externalUrl(url)])].join('\n'), 'text');
  const lacking = hasSecret ? '' : ` Events are refused until the ${secret} is entered.`;
  appendSentence(text, register + lacking);
  text.appendMarkdown('\n\n');
}

/** `appendText` makes hard spaces, which VS Code takes for a part of the address before them. */
function appendSentence(text: vscode.MarkdownString, sentence: string): void {
  const parts = sentence.split(/(https:\/\/[^\s<>]*[^\s<>.,;:])/);
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) text.appendText(part);
    else text.appendMarkdown(`<${part}>`);
  }
}

export function runTooltip(run: Invocation): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(titleOfRun(run)).appendMarkdown(`** \`${run.id}\`\n\n`);
  text.appendText(outcomeOf(run)).appendMarkdown('\n\n');
  const stack = run.error?.stack;
  if (stack !== undefined) text.appendCodeblock(stack.slice(0, payloadLength), 'text');
  const took = durationOf(run);
  const started = new Date(run.started_at ?? run.created_at).toLocaleString();
  return text.appendText([started, took].filter((part) => part !== undefined).join(' · '));
}

export function eventTooltip(event: EmittedEvent): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  if (event.dropped !== null) {
    text.appendMarkdown('Dropped: ').appendText(event.dropped).appendMarkdown('\n\n');
  }
  const payload = JSON.stringify(event.event, null, 2) ?? 'null';
  const cut = payload.length > payloadLength ? `${payload.slice(0, payloadLength)}\n…` : payload;
  return text
    .appendCodeblock(cut, 'json')
    .appendMarkdown(`${new Date(event.indexed_at_ms).toLocaleString()} · \`${event.id}\``);
}

export function webhookTooltip(webhook: Webhook): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(webhook.name ?? 'Webhook');
  text.appendMarkdown(`** \`${webhook.id}\`\n\n`).appendCodeblock(webhook.url, 'text');
  if (webhook.description !== null) text.appendText(webhook.description);
  return text.appendMarkdown('\n\nDrop a source here to send its events.');
}

/** An event that waits: when it is due, and its payload. */
export function scheduledTooltip({ event, metadata }: EmittedEvent): vscode.MarkdownString {
  const due = new Date(metadata.delivery_ts ?? 0).toLocaleString();
  return new vscode.MarkdownString()
    .appendText(`Due ${due}`)
    .appendCodeblock(JSON.stringify(event, null, 2), 'json');
}
