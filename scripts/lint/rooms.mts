/** Which imports the rooms of `src` do not allow (pure). */
import type { Import } from './imports.mts';

export interface Room {
  /** A folder of `src`, or a file of it without its ending. */
  readonly name: string;
  /** One sentence. */
  readonly does: string;
  /** Rooms beneath, by name. `NAME types`: nothing of it is left when the code runs. */
  readonly imports: readonly string[];
  /** The files, without ending, that other rooms may import. */
  readonly face: readonly string[] | 'everything';
}

/** A sentence for each import that the house does not allow: of a room that is not named, of a file behind a face. */
export function forbiddenImports(house: readonly Room[], imports: readonly Import[]): string[] {
  const faults: string[] = [];
  for (const { from, to, isType } of imports) {
    const [room, target] = [roomOf(house, from), roomOf(house, to)];
    if (room === undefined || target === undefined) {
      faults.push(`${room === undefined ? from : to} is in no room of scripts/lint/house.mts.`);
      continue;
    }
    if (room === target) continue;
    const mayRun = room.imports.includes(target.name);
    const mayType = mayRun || room.imports.includes(`${target.name} types`);
    if (!(isType ? mayType : mayRun)) {
      const limit = mayType ? 'only types' : 'nothing';
      faults.push(`${from} imports ${to}: ${room.name} may import ${limit} of ${target.name}.`);
    }
    if (!isInFace(target, to)) {
      faults.push(`${from} imports ${to}, which is not in the face of ${target.name}.`);
    }
  }
  return [...new Set(faults)];
}

/** A sentence for each row that is wrong by itself: an import of a room above, an entry that nothing uses. */
export function faultsOfHouse(house: readonly Room[], imports: readonly Import[]): string[] {
  const faults: string[] = [];
  const crossing = imports.filter(({ from, to }) => roomOf(house, from) !== roomOf(house, to));
  for (const [floor, room] of house.entries()) {
    for (const entry of room.imports) {
      const name = entry.replace(/ types$/, '');
      if (!house.slice(0, floor).some((below) => below.name === name)) {
        faults.push(`${room.name} imports ${name}, which is not beneath it.`);
      }
      const isUsed = crossing.some(
        ({ from, to }) => roomOf(house, from) === room && roomOf(house, to)?.name === name,
      );
      if (!isUsed) faults.push(`${room.name} imports nothing of ${name}: remove the entry.`);
    }
    if (room.face === 'everything') continue;
    for (const file of room.face) {
      const isUsed = crossing.some(({ to }) => to === `src/${room.name}/${file}.ts`);
      if (!isUsed)
        faults.push(`No other room imports ${room.name}/${file}: remove it from the face.`);
    }
  }
  return faults;
}

/** How high each room stands: 0 imports nothing, every other room stands above all that it imports. */
export function floorsOf(house: readonly Room[]): ReadonlyMap<string, number> {
  const floors = new Map<string, number>();
  for (const { name, imports } of house) {
    const beneath = imports.map((entry) => floors.get(entry.replace(/ types$/, '')) ?? 0);
    floors.set(name, beneath.length === 0 ? 0 : Math.max(...beneath) + 1);
  }
  return floors;
}

function isInFace({ name, face }: Room, file: string): boolean {
  return face === 'everything' || face.some((path) => file === `src/${name}/${path}.ts`);
}

/** The room with the longest name that the file lies in. */
function roomOf(house: readonly Room[], file: string): Room | undefined {
  return house
    .filter(({ name }) => file.startsWith(`src/${name}/`) || file === `src/${name}.ts`)
    .toSorted((one, other) => other.name.length - one.name.length)[0];
}
