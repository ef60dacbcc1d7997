/** The rooms of docs/architecture.md, and which imports they do not allow (pure). */
import type { Import } from './imports.mts';

export interface Room {
  /** Folders of `src`, or files of it without their ending. */
  readonly places: readonly string[];
  readonly mayImport: ReadonlyMap<string, 'code' | 'types'>;
  /** The composition root may import everything below this folder. */
  readonly everythingOf: string | undefined;
}

/** @param page the text of docs/architecture.md */
export function roomsOf(page: string): Room[] {
  const table = page.slice(page.indexOf('| room'), page.indexOf('\n\n', page.indexOf('| room')));
  return table
    .split('\n')
    .slice(2)
    .map((row) => {
      const [, places = '', , allowed = ''] = row.split('|').map((cell) => cell.trim());
      const names = [...allowed.matchAll(/`([^`]+)`( types)?/g)];
      const everything = /^everything of `([^`]+)`/.exec(allowed)?.[1];
      return {
        places: [...places.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place),
        mayImport: new Map(names.map(([, name = '', types]) => [name, types ? 'types' : 'code'])),
        everythingOf: everything,
      };
    });
}

/** A sentence for each import that crosses from one room to another where the page allows none. */
export function forbiddenImports(rooms: readonly Room[], imports: readonly Import[]): string[] {
  const faults: string[] = [];
  for (const { from, to, isType } of imports) {
    const [room, target] = [roomOf(rooms, from), roomOf(rooms, to)];
    if (room === undefined || target === undefined) {
      faults.push(`${room === undefined ? from : to} stands in no room of docs/architecture.md.`);
      continue;
    }
    if (room === target || (room.everythingOf && to.startsWith(`src/${room.everythingOf}/`)))
      continue;
    const allowed = target.places.flatMap((place) => room.mayImport.get(place) ?? []);
    if (allowed.includes('code') || (isType && allowed.length > 0)) continue;
    const limit = allowed.length > 0 ? 'only types' : 'nothing';
    faults.push(
      `${from} imports ${to}: ${room.places[0]} may import ${limit} of ${target.places[0]} (docs/architecture.md, "Rooms").`,
    );
  }
  return [...new Set(faults)];
}

/** The room with the longest place that the file lies in. */
function roomOf(rooms: readonly Room[], file: string): Room | undefined {
  let found: { readonly room: Room; readonly place: string } | undefined;
  for (const room of rooms) {
    for (const place of room.places) {
      const isIn = file.startsWith(`src/${place}/`) || file === `src/${place}.ts`;
      if (isIn && place.length > (found?.place.length ?? 0)) found = { room, place };
    }
  }
  return found?.room;
}
