/** docs/rooms.md and its picture, made from the house (pure). */
import { floorsOf, type Room } from '../lint/rooms.mts';

export function roomsText(house: readonly Room[]): string {
  return [
    '# Rooms',
    '',
    '`npm run docs` writes this page from [house.mts](../scripts/lint/house.mts), and `npm run lint` checks every import in `src` against it,',
    'types and lazy imports included.',
    '',
    '- A room may import only the rooms in its list, all of which are on lower floors. _Types_ means that nothing of the import is left when the',
    '  code runs.',
    "- From outside, only the files of a room's **face** may be imported. Each room has a README that says where to begin.",
    '- Files never import each other in a circle.',
    '',
    '![The rooms of Weir, floor by floor](images/rooms.svg)',
    '',
    ...house.toReversed().flatMap(sectionOf),
  ].join('\n');
}

function sectionOf({ name, does, imports, face }: Room): string[] {
  const files = face === 'everything' ? ['every file'] : face.map((file) => `\`${file}\``);
  return [
    `## ${name}`,
    '',
    does,
    '',
    `- Imports: ${imports.length === 0 ? 'nothing' : imports.map((entry) => entry.replace(/^(\S+)/, '`$1`')).join(', ')}`,
    `- Face: ${files.length === 0 ? 'none; it is a program' : files.join(', ')}`,
    '',
  ];
}

const size = { width: 1120, row: 84, box: 62, left: 44, gap: 14 };

/** Floors as rows, the ground floor at the bottom, a box a room. Colors follow the reader's theme. */
export function roomsPicture(house: readonly Room[]): string {
  const floors = [...floorsOf(house)];
  const top = Math.max(...floors.map(([, floor]) => floor));
  const rows = Array.from({ length: top + 1 }, (_, above) => {
    const floor = top - above;
    return { floor, names: floors.flatMap(([name, at]) => (at === floor ? [name] : [])) };
  });
  const height = rows.length * size.row + 16;
  const boxes = rows.map(({ floor, names }, row) => {
    const y = row * size.row + 12;
    const width =
      (size.width - size.left - 12 - size.gap * (names.length - 1)) / Math.max(names.length, 1);
    const drawn = names.map((name, at) =>
      boxOf(name, size.left + at * (width + size.gap), y, width),
    );
    return `<text class="floor" x="16" y="${y + size.box / 2 + 5}">${floor}</text>${drawn.join('')}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" aria-label="The rooms of Weir, floor by floor">`,
    '<style>text{font:600 15px system-ui,sans-serif;fill:#1f2328;text-anchor:middle}.floor{font-weight:400;fill:#6e7781}',
    'rect{fill:#ddf4ff;stroke:#54aeff}.outside rect{fill:#f6f8fa;stroke:#afb8c1}',
    '@media (prefers-color-scheme:dark){text{fill:#e6edf3}.floor{fill:#8d96a0}rect{fill:#0c2d6b;stroke:#388bfd}.outside rect{fill:#161b22;stroke:#484f58}}</style>',
    ...boxes,
    '</svg>',
    '',
  ].join('\n');
}

function boxOf(name: string, x: number, y: number, width: number): string {
  const isRuntime = name.startsWith('runtime/');
  return (
    `<g${isRuntime ? '' : ' class="outside"'}><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${size.box}" rx="8"/>` +
    `<text x="${(x + width / 2).toFixed(1)}" y="${y + size.box / 2 + 5}">${name.replace('runtime/', '')}</text></g>`
  );
}
