import { kindOf } from '../../protocol/ids.ts';
import type { Command } from '../commands/context.ts';
import { pickFile } from '../commands/pick-file.ts';
import { isNode } from '../views/nodes.ts';
import { activeComponent } from './component-editor.ts';
import { startDebugger } from './start-debugger.ts';

/** Of a source in the tree, of the file a lens gave, else of the component in the active editor. */
export const debug: Command = async (_context, arg) => {
  if (isNode(arg, 'source')) {
    const { id, name } = arg.source;
    return startDebugger({ name: `Debug ${name}`, source: id });
  }
  if (typeof arg === 'string' && kindOf(arg) === 'source') {
    return startDebugger({ name: 'Debug component', source: arg });
  }
  const component = await pickFile(arg ?? activeComponent(), 'Debug Component');
  if (component !== undefined) await startDebugger({ name: 'Debug component', component });
};
