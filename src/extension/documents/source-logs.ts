import * as vscode from 'vscode';
import type { LogLine, Source } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';

const firstLines = 100;

/** One output channel per source whose logs were asked for; it follows until it is closed. */
export class SourceLogs implements vscode.Disposable {
  readonly #channels = new Map<string, { channel: vscode.LogOutputChannel; last: number }>();
  readonly #following = new Map<Folder, vscode.Disposable>();

  async show(folder: Folder, source: Source): Promise<void> {
    const client = await folder.link.ready();
    const page = await client.call('logs.list', { id: source.id, limit: firstLines });
    const known = this.#channels.get(source.id) ?? {
      channel: vscode.window.createOutputChannel(`Weir: ${source.name}`, { log: true }),
      last: -1,
    };
    this.#channels.set(source.id, known);
    for (const line of page.data.toReversed()) this.#write(line);
    this.#follow(folder);
    known.channel.show(true);
  }

  dispose(): void {
    for (const { channel } of this.#channels.values()) channel.dispose();
    for (const following of this.#following.values()) following.dispose();
  }

  #follow(folder: Folder): void {
    if (this.#following.has(folder)) return;
    const following = folder.mirror.onChanges.on((batch) => {
      for (const change of batch) if (change.type === 'log') this.#write(change.line);
    });
    this.#following.set(folder, following);
  }

  #write(line: LogLine): void {
    const known = this.#channels.get(line.source_id);
    if (known === undefined || line.id <= known.last) return;
    known.last = line.id;
    known.channel[line.level](line.text);
  }
}
