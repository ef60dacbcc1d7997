/**
 * Which runtime something is of (pure). Ids are numbers that each runtime begins at 1, so an id says nothing without it: whatever
 * keeps an id over a switch of the runtime keeps this key beside it.
 */
import { WeirError } from '../../protocol/errors.ts';

export interface RuntimeIdentity {
  /** Absolute path of the folder's data folder. */
  readonly dataFolder: string;
  /** Name of a runtime on another machine; undefined for the data folder's own. */
  readonly remote: string | undefined;
}

/** As text, for URIs and for what pages keep over a reload of the window. */
export function runtimeKey({ dataFolder, remote }: RuntimeIdentity): string {
  return remote === undefined ? dataFolder : `${encodeURIComponent(remote)}@${dataFolder}`;
}

/** Reads a key of {@link runtimeKey}. A path begins with a slash or a drive, which no encoded name has. */
export function parseRuntimeKey(key: string): RuntimeIdentity {
  const [, name, dataFolder] = /^([^@/\\:]+)@(.*)$/s.exec(key) ?? [];
  const remote = name === undefined ? undefined : decoded(name);
  return dataFolder === undefined || remote === undefined
    ? { dataFolder: key, remote: undefined }
    : { dataFolder, remote };
}

/** Undefined for a name that was not encoded by us. */
function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/** How a person calls the runtime within a sentence. */
export function runtimeName({ remote }: Pick<RuntimeIdentity, 'remote'>): string {
  return remote ?? 'the local runtime';
}

/** The title of a tab: "orders · exec_25 · production". The folder's own runtime is not named. */
export function titleAt(
  { remote }: Pick<RuntimeIdentity, 'remote'>,
  ...parts: readonly string[]
): string {
  return [...parts, ...(remote === undefined ? [] : [remote])].join(' · ');
}

/** The banner of a page, and why its buttons are off, while its folder uses another runtime. */
export function shownElsewhere(identity: Pick<RuntimeIdentity, 'remote'>): string {
  return `This page shows ${runtimeName(identity)}. Connect to it to act.`;
}

/** Why a row, document or page of one runtime cannot act while its folder uses another one. */
export function notCurrent(identity: Pick<RuntimeIdentity, 'remote'>): WeirError {
  const name = runtimeName(identity);
  return new WeirError(
    'conflict',
    `This belongs to ${name}, and another runtime is in use. Run Weir: Switch Runtime… and choose ${identity.remote ?? 'Local'} to act.`,
  );
}
