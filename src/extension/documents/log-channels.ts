import * as vscode from 'vscode';
import type { LogLine } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Emitter } from '../model/mirror-state.ts';
import { titleAt } from '../connection/runtime-identity.ts';
import { rowId } from '../views/nodes.ts';
import { logText } from './log-text.ts';

const firstLines = 100;

/**
 * An output channel for each emitter whose logs were asked for; it is kept up to date from then on. One of
 * VS Code's log channels would write the time of showing beside each line.
 */
export class LogChannels implements vscode.Disposable {
  /** By runtime and emitter; `last` is the id of the last line written. */
  readonly #channels = new Map<string, { channel: vscode.OutputChannel; last: number }>();
  readonly #following = new Map<Folder, vscode.Disposable>();

  async show(folder: Folder, { id, name }: Emitter): Promise<void> {
    const client = await folder.link.ready();
    const page = await client.call('logs.list', { id, limit: firstLines });
    const known = this.#channels.get(rowId(folder, id)) ?? {
      channel: vscode.window.createOutputChannel(`Weir: ${titleAt(folder, name)}`, 'log'),
      last: -1,
    };
    this.#channels.set(rowId(folder, id), known);
    for (const line of page.data.toReversed()) this.#write(folder, line);
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
      for (const change of batch) if (change.type === 'log') this.#write(folder, change.line);
    });
    this.#following.set(folder, following);
  }

  #write(folder: Folder, line: LogLine): void {
    const known = this.#channels.get(rowId(folder, line.source_id));
    if (known === undefined || line.id <= known.last) return;
    known.last = line.id;
    known.channel.appendLine(logText(line));
  }
}
