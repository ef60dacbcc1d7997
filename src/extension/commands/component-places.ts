import path from 'node:path';
import { isWithin } from '../is-within.ts';

/** A folder that a new component can be written into. */
export interface Place {
  /** Absolute. */
  readonly folder: string;
  /** Why it is offered. */
  readonly why: string | undefined;
}

export interface PlacesOptions {
  /** The folders of the workspace, absolute. */
  readonly roots: readonly string[];
  /** Where the last component was written. */
  readonly last: string | undefined;
  /** The component in the active editor. */
  readonly edited: string | undefined;
}

/** Places for a new component, the likeliest first. */
export function placesFor({ roots, last, edited }: PlacesOptions): Place[] {
  const beside = edited === undefined ? undefined : path.dirname(edited);
  const all: { readonly folder: string | undefined; readonly why?: string }[] = [
    { folder: last, why: 'where the last one was written' },
    { folder: beside, why: 'beside the open component' },
    ...roots.map((root) => ({ folder: path.join(root, 'components') })),
    ...roots.map((root) => ({ folder: root })),
  ];
  const places = new Map<string, Place>();
  for (const { folder, why } of all) {
    // A folder that has left the window, or one of another file system, is no place of this workspace.
    if (folder === undefined || !roots.some((root) => isWithin(root, folder))) continue;
    if (!places.has(folder)) places.set(folder, { folder, why });
  }
  return [...places.values()];
}
