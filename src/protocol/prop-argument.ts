/** A prop value as it is written on a command line, `--prop name=text`. */
import type { ConfigurableProp } from './definition.ts';
import { WeirError } from './errors.ts';

/**
 * The configured value a text stands for, by the prop's type: numbers and booleans as such, lists as
 * JSON or separated by commas, objects as JSON, a timer as JSON, seconds or a cron expression, an app
 * as the id of an account.
 *
 * @throws WeirError `bad_input` naming the prop when the text is no value of its type
 */
export function parsePropArgument(prop: ConfigurableProp, text: string): unknown {
  const { name, type } = prop;
  if (type.endsWith('[]')) return list(prop, text);
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return number(name, text);
    case 'boolean':
      return boolean(name, text);
    case 'any':
      return jsonOr(text, text);
    case 'app':
      return jsonOr(text, { authProvisionId: text });
    case 'data_store':
      return jsonOr(text, { storeId: text });
    case '$.interface.timer':
      return timer(text);
    case '$.interface.http':
    case '$.service.db':
    case 'alert':
      throw new WeirError('bad_input', `${name} is provided by the runtime; it takes no value.`);
    case 'object':
    case 'http_request':
    case 'sql':
      return json(name, text);
    default:
      return jsonOr(text, text);
  }
}

function list(prop: ConfigurableProp, text: string): unknown {
  if (text.trimStart().startsWith('[')) return json(prop.name, text);
  if (text === '') return [];
  const item = { ...prop, type: prop.type.slice(0, -2) };
  return text.split(',').map((part) => parsePropArgument(item, part.trim()));
}

function number(name: string, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new WeirError('bad_input', `${name} must be a number, not "${text}".`);
}

function boolean(name: string, text: string): boolean {
  if (['true', '1', 'yes'].includes(text)) return true;
  if (['false', '0', 'no'].includes(text)) return false;
  throw new WeirError('bad_input', `${name} must be true or false, not "${text}".`);
}

function timer(text: string): unknown {
  if (/^\d+(\.\d+)?$/.test(text)) return { intervalSeconds: Number(text) };
  return jsonOr(text, { cron: text });
}

function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WeirError('bad_input', `${name} must be JSON: ${text}`, undefined, error);
  }
}

function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
