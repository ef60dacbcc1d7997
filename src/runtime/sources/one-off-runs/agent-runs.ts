/** Runs of actions that older versions kept as files, one each, when an agent had asked for them. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionRunEnd, NewActionRun } from '../../store/history/action-runs.ts';
import type { Store } from '../../store/store.ts';

/** Moves them into the store and removes the files, each when it is on disk: an interrupted move continues later. */
export async function takeAgentRuns(
  dataFolder: string,
  runs: Pick<Store['actionRuns'], 'begin' | 'end'>,
): Promise<void> {
  const folder = join(dataFolder, 'agent-runs');
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) return;
  for (const name of names.toSorted()) {
    const file = join(folder, name);
    const kept = keptIn(await readFile(file, 'utf8'));
    if (kept !== undefined) {
      const { n } = await runs.begin(kept.run);
      await runs.end(n, kept.end);
    }
    await rm(file);
  }
  await rm(folder, { recursive: true });
}

/** Undefined if the text is not a kept run: a crash may have cut off the file. */
function keptIn(
  text: string,
): { readonly run: NewActionRun; readonly end: ActionRunEnd } | undefined {
  const kept = parsed(text);
  if (!isRecord(kept) || typeof kept['action'] !== 'string') return undefined;
  const at = Date.parse(String(kept['at']));
  const origin = isRecord(kept['origin']) ? kept['origin'] : {};
  const { component_path: path, key } = origin;
  const error = isRecord(kept['error']) ? kept['error'] : null;
  const logs = Array.isArray(kept['logs']) ? kept['logs'].filter(isRecord) : [];
  return {
    run: {
      name: kept['action'],
      key: typeof key === 'string' ? key : null,
      version: null,
      path: typeof path === 'string' ? path : null,
      agent: 'unknown',
      props: JSON.stringify(kept['props'] ?? {}),
      startedAt: Number.isNaN(at) ? 0 : at,
    },
    end: {
      status: error === null ? 'succeeded' : 'failed',
      endedAt: Number.isNaN(at) ? 0 : at,
      error: error && { name: 'Error', message: textIn(error['message']) },
      outcome: {
        exports: JSON.stringify(kept['exports'] ?? {}),
        returnValue: JSON.stringify(kept['return_value'] ?? null),
        logs: JSON.stringify(logs.map(({ ts, level, text }) => ({ at: ts, level, text }))),
        requests: null,
      },
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
