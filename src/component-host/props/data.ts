import type { ConfigurableProp } from '../../protocol/definition.ts';
import { assign, isMethod } from '../authored.ts';
import { toData } from '../json.ts';
import type { Prop } from './resolve.ts';

/** Keys of an app object, and of a prop that built on one, that are code. */
const code = new Set(['propDefinition', 'propDefinitions', 'methods', 'name', 'type']);

/** A prop as the platform's API lists it: functions stripped, `options()` told as `remoteOptions`. */
export function propData(prop: Prop): ConfigurableProp {
  const data: Record<string, unknown> = { name: prop.name, type: prop.type };
  for (const [key, value] of Object.entries(prop.definition)) {
    if (code.has(key)) continue;
    if (key === 'options' && isMethod(value)) {
      data['remoteOptions'] = true;
      continue;
    }
    const plain = toData(value);
    if (plain !== undefined) assign(data, key, plain);
  }
  return data as unknown as ConfigurableProp;
}
