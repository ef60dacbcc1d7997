import type { Change } from '../../protocol/rpc.ts';
import type { Renderer } from '../render/renderer.ts';
import { eventText, logText } from '../views/events.ts';

/** What a developer of one source wants to see as it happens. */
export function printChange(change: Change, sourceId: string, out: Renderer): void {
  if (change.type === 'log' && change.line.source_id === sourceId) {
    out.item(change, () => logText(change.line));
  }
  if (change.type === 'event' && change.event.metadata.emitter_id === sourceId) {
    out.item(change, () => eventText(change.event));
  }
  if (change.type === 'debug' && change.process.source_id === sourceId) {
    const { url, port } = change.process;
    out.item(
      change,
      () =>
        `Debugger listening on ${url}\nChrome: chrome://inspect, with 127.0.0.1:${port} configured. The code waits for it.`,
    );
  }
}
