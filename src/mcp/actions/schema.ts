/** The JSON Schema of an action's props (pure). What a user decides or provides is not in it: accounts and secrets. */
import {
  type ConfigurableProp,
  isAsked,
  isRequired,
  isRequiredApp,
} from '../../protocol/definition.ts';

export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly additionalProperties: boolean;
  readonly [key: string]: unknown;
}

/** The tool that returns the options of a prop that lists them itself. */
export const configureName = 'configure_action';

/**
 * @param more whether values may add props that are not among these
 * @returns a schema of draft 2020-12
 */
export function inputSchema(props: readonly ConfigurableProp[], more: boolean): InputSchema {
  const asked = props.filter(isGivenByModel);
  const required = asked
    .filter((prop) => isRequired(prop) && prop.default === undefined)
    .map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(asked.map((prop) => [prop.name, propSchema(prop)])),
    ...(required.length > 0 && { required }),
    additionalProperties: more,
  };
}

/** Not what is bound by the user: an account is never chosen by a model, and a secret never known to it. */
export function isGivenByModel(prop: ConfigurableProp): boolean {
  return isAsked(prop) && isUserValue(prop) && !isUserBound(prop);
}

/** Whether a model is refused when it gives the prop a value. */
export function isUserBound(prop: ConfigurableProp): boolean {
  return prop.type === 'app' || prop.secret === true;
}

/** Why an action cannot be run by a model at all; undefined when it can. */
export function whyNotOffered(props: readonly ConfigurableProp[]): string | undefined {
  const secret = props.find(
    (prop) =>
      isAsked(prop) &&
      prop.secret === true &&
      !isRequiredApp(prop) &&
      isRequired(prop) &&
      prop.default === undefined,
  );
  return secret && `its prop ${secret.name} is a secret, which no model is asked for`;
}

function isUserValue({ type }: ConfigurableProp): boolean {
  return !type.startsWith('$.interface.');
}

function propSchema(prop: ConfigurableProp): Record<string, unknown> {
  const isList = prop.type.endsWith('[]');
  const item = { ...base(isList ? prop.type.slice(0, -2) : prop.type), ...range(prop) };
  const chosen = choices(prop) ?? item;
  const description = describe(prop);
  return {
    ...(typeof prop.label === 'string' && { title: prop.label }),
    ...(description !== '' && { description }),
    ...(isList ? { type: 'array', items: chosen } : chosen),
    ...(prop.default !== undefined && { default: prop.default }),
  };
}

/** A type that is not one of the platform's plain ones, such as `sql`, accepts any JSON. */
function base(type: string): Record<string, unknown> {
  switch (type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'object':
      return { type };
    case 'data_store':
    case '$.airtable.baseId':
    case '$.discord.channel':
      return { type: 'string' };
    default:
      return {};
  }
}

function range({ type, min, max }: ConfigurableProp): Record<string, unknown> {
  if (!/^(integer|number)/.test(type)) return {};
  return {
    ...(typeof min === 'number' && { minimum: min }),
    ...(typeof max === 'number' && { maximum: max }),
  };
}

/** A schema wants each value once, and at least one. */
function choices({ options }: ConfigurableProp): Record<string, unknown> | undefined {
  const seen = new Set<string>();
  const all = (Array.isArray(options) ? options : []).flatMap((option: unknown) => {
    const { value, label } = isLabelled(option) ? option : { value: option, label: undefined };
    const text = JSON.stringify(value);
    if (text === undefined || seen.has(text)) return [];
    seen.add(text);
    return [{ value, label }];
  });
  if (all.length === 0) return undefined;
  if (all.every(({ label }) => label === undefined)) return { enum: all.map(({ value }) => value) };
  return {
    oneOf: all.map(({ value, label }) => ({
      const: value,
      ...(typeof label === 'string' && { title: label }),
    })),
  };
}

function isLabelled(
  option: unknown,
): option is { readonly value: unknown; readonly label: unknown } {
  return typeof option === 'object' && option !== null && 'value' in option;
}

function describe(prop: ConfigurableProp): string {
  const sentences = [typeof prop.description === 'string' ? prop.description : ''];
  if (prop.remoteOptions === true) {
    sentences.push(`${configureName} lists its options (prop_name: "${prop.name}").`);
  }
  if (prop.reloadProps === true) {
    sentences.push(`Other props may follow from it: ${configureName} returns the next schema.`);
  }
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
