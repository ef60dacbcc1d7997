/** Holds the house (scripts/lint/house.mts), and that no files import each other in a circle. */
import { house } from './lint/house.mts';
import { circlesIn, importsIn } from './lint/imports.mts';
import { faultsOfHouse, forbiddenImports } from './lint/rooms.mts';

const imports = importsIn('.');
// The extension's features still load each other lazily in circles.
const counted = imports.filter(({ from, isLazy }) => !isLazy || !from.startsWith('src/extension/'));
const faults = [
  ...forbiddenImports(house, imports),
  ...faultsOfHouse(house, imports),
  ...circlesIn(counted).map((files) => `These import each other in a circle: ${files.join(' → ')}`),
];
for (const fault of faults) console.error(fault);
console.log(`${imports.length} imports, ${faults.length} against the house`);
process.exitCode = faults.length === 0 ? 0 : 1;
