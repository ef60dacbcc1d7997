import * as vscode from 'vscode';
import type { EmittedEvent, Source } from '../../protocol/catalogue.ts';

const payloadLength = 2000;

/** Names and payloads come from strangers: they go in as text or code, never as Markdown. */
export function sourceTooltip(source: Source, events: number): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(source.name).appendMarkdown(`** \`${source.id}\`\n\n`);
  if (source.endpoint_url !== null) text.appendCodeblock(source.endpoint_url, 'text');
  if (source.next_tick_at !== null) {
    text.appendMarkdown(`Next run: ${new Date(source.next_tick_at).toLocaleString()}\n\n`);
  }
  text.appendMarkdown(`${events} ${events === 1 ? 'event' : 'events'}`);
  if (source.dedupe !== null) text.appendMarkdown(` · dedupe: \`${source.dedupe}\``);
  text.appendMarkdown('\n\n');
  const error = source.last_invocation?.error;
  if (error !== undefined && error !== null) {
    text.appendMarkdown('Last run failed:\n').appendCodeblock(`${error.name}: ${error.message}`);
  }
  if (source.path !== null) text.appendText(source.path);
  return text;
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
