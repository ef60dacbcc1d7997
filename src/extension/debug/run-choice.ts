import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Invocation } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Folder } from '../connection/folder.ts';
import { titleOf } from '../views/event-line.ts';
import { outcomeOf, titleOfRun } from '../views/invocation-line.ts';
import { relativeTime } from '../views/line.ts';

/** The start of a run: a trigger as it was received, or an event. */
export type Input = { readonly invocation_id: string } | { readonly event: unknown };

interface InputItem extends vscode.QuickPickItem {
  readonly input?: () => Promise<Input | undefined>;
}

const shownEvents = 30;

export interface KnownInputs {
  /** Past runs, newest first. */
  readonly runs: readonly Invocation[];
  /** `sampleEmit` of the component; undefined without. */
  readonly sample: unknown;
}

/**
 * Asks what a run is started with: a past run, a stored event, the component's sample, a file, or typed
 * JSON.
 * @param now epoch ms, to show ages
 * @returns undefined when the user cancelled
 */
export async function chooseInput(
  title: string,
  folder: Folder,
  { runs, sample }: KnownInputs,
  now: number,
): Promise<Input | undefined> {
  const items: InputItem[] = [
    { label: '$(json) Type JSON…', input: () => typedJson(title) },
    { label: '$(file) JSON from a file…', input: () => jsonFile(title) },
    ...(sample === undefined
      ? []
      : [
          {
            label: '$(beaker) Sample of the component',
            description: titleOfValue(sample),
            input: event(sample),
          },
        ]),
    ...separated('Runs, as they were received', runs.length),
    ...runs
      .filter(({ hook }) => hook === null)
      .map((run) => ({
        label: `$(history) ${titleOfRun(run)}`,
        description: `${outcomeOf(run)} · ${relativeTime(run.created_at, now)}`,
        input: () => Promise.resolve({ invocation_id: run.id }),
      })),
    ...separated('Events', folder.mirror.events().length),
    ...folder.mirror
      .events()
      .slice(0, shownEvents)
      .map((stored) => ({
        label: `$(symbol-event) ${titleOf(stored)}`,
        description: [
          folder.mirror.emitter(stored.metadata.emitter_id)?.name,
          relativeTime(stored.indexed_at_ms, now),
        ].join(' · '),
        input: async () => {
          const { emitter_id: id } = stored.metadata;
          const client = await folder.link.ready();
          const whole = await client.call('events.get', { id, event_id: stored.id });
          return { event: whole.event };
        },
      })),
  ];
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen?.input?.();
}

/** How a run is done. */
export interface RunMode {
  /** Nothing it does is kept. */
  readonly dry: boolean;
  readonly debug: boolean;
}

/**
 * @param title of the command that asks
 * @returns undefined when the user cancelled
 */
export async function chooseMode(
  title: string,
  { deployed = true }: { readonly deployed?: boolean } = {},
): Promise<RunMode | undefined> {
  const kept = 'emits events and writes state';
  const shown = 'keeps and emits nothing; requests of the code are real';
  const items = [
    { label: 'Dry Run', description: shown, dry: true, debug: false },
    { label: 'Debug Dry Run', description: shown, dry: true, debug: true },
    { label: 'Run', description: kept, dry: false, debug: false },
    { label: 'Debug Run', description: kept, dry: false, debug: true },
  ];
  return vscode.window.showQuickPick(
    items.filter(({ dry }) => dry || deployed),
    { title },
  );
}

function separated(label: string, count: number): InputItem[] {
  return count === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }];
}

function event(value: unknown): () => Promise<Input> {
  return () => Promise.resolve({ event: value });
}

export async function typedJson(
  title: string,
  value = '{}',
  prompt = 'What run(event) gets, as JSON.',
): Promise<{ readonly event: unknown } | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt,
    value,
    validateInput: (typed) => {
      try {
        JSON.parse(typed);
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
  });
  return text === undefined ? undefined : { event: JSON.parse(text) as unknown };
}

export async function jsonFile(title: string): Promise<{ readonly event: unknown } | undefined> {
  const filters = { JSON: ['json'] };
  const [uri] = (await vscode.window.showOpenDialog({ title, filters })) ?? [];
  return uri === undefined ? undefined : { event: await readEventFile(uri.fsPath) };
}

/** Throws `bad_input` for a file that cannot be read or is not JSON. */
export async function readEventFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch (error) {
    throw new WeirError('bad_input', `${file} is not JSON: ${messageOf(error)}`, undefined, error);
  }
}

function titleOfValue(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 80);
}
