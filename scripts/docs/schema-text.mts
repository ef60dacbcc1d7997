/** A JSON Schema in a few words (pure). */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly $ref?: string;
}

/** `string`, `integer or null`, `[Source](#source)[]`, `object of string`. */
export function typeText(schema: Schema): string {
  const { $ref, const: only, enum: values, anyOf, type, items, additionalProperties } = schema;
  if ($ref !== undefined) return linkTo($ref.slice($ref.lastIndexOf('/') + 1));
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (anyOf !== undefined) return isFlag(anyOf) ? 'boolean' : anyOf.map(typeText).join(' or ');
  if (values !== undefined) {
    const shown = values.filter((value) => value !== '' && value !== null);
    const text = shown.map((value) => `\`${String(value)}\``).join(', ');
    return values.includes(null) ? `${text} or null` : text;
  }
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array') return `${typeText(items ?? {})}[]`;
  if (type === 'object' && schema.properties !== undefined) return fieldsText(schema);
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
    return `object of ${typeText(additionalProperties)}`;
  }
  return (type as string | undefined) ?? 'any';
}

/** A link to a heading of the page. */
export function linkTo(heading: string, text: string = heading): string {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  return `[${text}](#${anchor})`;
}

/** A boolean that may be written as text in a query string. */
function isFlag(anyOf: readonly Schema[]): boolean {
  return (
    anyOf.some(({ type }) => type === 'boolean') && anyOf.some(({ enum: e }) => e?.includes(''))
  );
}

function fieldsText({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, one]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(one)}`,
  );
  return fields.length === 0 ? 'nothing' : `{ ${fields.join(', ')} }`;
}

/** A Markdown table; nothing for no rows. */
export function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  const all = [line(titles), line(titles.map(() => '---')), ...rows.map(line)];
  return `${all.join('\n')}\n`;
}
