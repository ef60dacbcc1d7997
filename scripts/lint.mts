/** Holds the arrows of docs/architecture.md, and that no files import each other in a circle. */
import { readFileSync } from 'node:fs';
import { circlesIn, importsIn } from './lint/imports.mts';
import { forbiddenImports, roomsOf } from './lint/rooms.mts';

const imports = importsIn('.');
const faults = [
  ...forbiddenImports(roomsOf(readFileSync('docs/architecture.md', 'utf8')), imports),
  ...circlesIn(imports).map((files) => `These import each other in a circle: ${files.join(' → ')}`),
];
for (const fault of faults) console.error(fault);
console.log(`${imports.length} imports, ${faults.length} against the architecture`);
process.exitCode = faults.length === 0 ? 0 : 1;
