/** Reads a component's text with a parser: nothing of it is run (P27.3). */
import { type AnyNode, type Expression, type ObjectExpression, parse, type Program } from 'acorn';
import { withEsbuild } from './bundle/esbuild.ts';

export interface TextOfComponent {
  readonly key: string | undefined;
  readonly version: string | undefined;
  readonly type: string | undefined;
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** Slug of an app's file. */
  readonly app: string | undefined;
  /** Props whose type is plain, with what else of them is. */
  readonly props: readonly ReadProp[];
  /** Its imports, including `import()` and `require` of plain text. */
  readonly imports: readonly string[];
  /** Hosts of the URLs in its text; `*.` replaces a part that is known only when it runs. */
  readonly hosts: readonly string[];
}

export interface ReadProp {
  readonly name: string;
  readonly type: string;
  readonly [detail: string]: unknown;
}

/** @returns undefined for a text that does not parse */
export async function readText(path: string, code: string): Promise<TextOfComponent | undefined> {
  const program = await parsed(path, code);
  if (program === undefined) return undefined;
  const constants = constantsOf(program);
  const definition = exportedObject(program, constants);
  const said = (name: string): string | undefined => {
    const value = definition && plainValue(propertyOf(definition, name), constants);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    key: said('key'),
    version: said('version'),
    type: said('type'),
    name: said('name'),
    description: said('description'),
    app: said('app'),
    props: definition === undefined ? [] : propsOf(definition, constants),
    imports: importsOf(program),
    hosts: hostsIn(code),
  };
}

async function parsed(path: string, code: string): Promise<Program | undefined> {
  let text = code;
  if (/\.[cm]?ts$/.test(path)) {
    const made = await withEsbuild((esbuild) =>
      esbuild.transform(code, { loader: 'ts', format: 'esm' }).catch(() => undefined),
    );
    if (made === undefined) return undefined;
    text = made.code;
  }
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(text, {
        ecmaVersion: 'latest',
        sourceType,
        allowHashBang: true,
        allowReturnOutsideFunction: sourceType === 'script',
      });
    } catch {
      // As the other one, or not at all.
    }
  }
  return undefined;
}

type Constants = ReadonlyMap<string, Expression>;

/** `const` of the top of the file. */
function constantsOf(program: Program): Constants {
  const found = new Map<string, Expression>();
  for (const statement of program.body) {
    const declared =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declared.declarations) {
      if (id.type === 'Identifier' && init) found.set(id.name, init);
    }
  }
  return found;
}

/** The object of `export default`, `module.exports =` and `export { x as default }`. */
function exportedObject(program: Program, constants: Constants): ObjectExpression | undefined {
  for (const statement of program.body) {
    if (statement.type === 'ExportDefaultDeclaration') {
      return objectOf(statement.declaration, constants);
    }
    if (statement.type === 'ExportNamedDeclaration') {
      const named = statement.specifiers.find(
        ({ exported }) => exported.type === 'Identifier' && exported.name === 'default',
      );
      if (named !== undefined) return objectOf(named.local, constants);
    }
    if (statement.type !== 'ExpressionStatement') continue;
    const { expression } = statement;
    if (expression.type === 'AssignmentExpression' && isModuleExports(expression.left)) {
      return objectOf(expression.right, constants);
    }
  }
  return undefined;
}

function isModuleExports(node: AnyNode): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'module' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'exports'
  );
}

/** Through a name, and through calls such as `defineSource({…})`. */
function objectOf(
  node: AnyNode | undefined,
  constants: Constants,
  depth = 0,
): ObjectExpression | undefined {
  if (node === undefined || depth > 5) return undefined;
  if (node.type === 'ObjectExpression') return node;
  if (node.type === 'Identifier') return objectOf(constants.get(node.name), constants, depth + 1);
  if (node.type === 'CallExpression') return objectOf(node.arguments[0], constants, depth + 1);
  return undefined;
}

function propertyOf(object: ObjectExpression, name: string): Expression | undefined {
  let found: Expression | undefined;
  for (const property of object.properties) {
    if (property.type === 'Property' && nameOf(property.key) === name && !property.computed) {
      found = property.value;
    }
  }
  return found;
}

function nameOf(key: AnyNode): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}

/** A value that is written out; undefined for what only a run would tell. */
function plainValue(node: AnyNode | undefined, constants: Constants, depth = 0): unknown {
  if (node === undefined || depth > 10) return undefined;
  const inside = (one: AnyNode): unknown => plainValue(one, constants, depth + 1);
  if (node.type === 'Literal') {
    return node.value instanceof RegExp || typeof node.value === 'bigint' ? undefined : node.value;
  }
  if (node.type === 'Identifier') return plainValue(constants.get(node.name), constants, depth + 1);
  if (node.type === 'TemplateLiteral') {
    const parts = node.expressions.map(inside);
    const texts = parts.filter((part) => typeof part === 'string');
    if (texts.length < parts.length) return undefined;
    return node.quasis.map(({ value }, at) => (value.cooked ?? '') + (texts[at] ?? '')).join('');
  }
  if (node.type === 'BinaryExpression') {
    const [left, right] = [inside(node.left), inside(node.right)];
    const isText = node.operator === '+' && typeof left === 'string' && typeof right === 'string';
    return isText ? left + right : undefined;
  }
  if (node.type === 'ArrayExpression') {
    const items = node.elements.map((one) => (one === null ? undefined : inside(one)));
    return items.includes(undefined) ? undefined : items;
  }
  return undefined;
}

const shownOfProp = [
  'type',
  'app',
  'label',
  'description',
  'optional',
  'default',
  'secret',
  'options',
  'hidden',
  'disabled',
  'reloadProps',
  'min',
  'max',
];

function propsOf(definition: ObjectExpression, constants: Constants): ReadProp[] {
  const props = objectOf(propertyOf(definition, 'props'), constants);
  return (props?.properties ?? []).flatMap((property) => {
    if (property.type !== 'Property' || property.computed) return [];
    const name = nameOf(property.key);
    if (name === undefined) return [];
    const short = plainValue(property.value, constants);
    if (typeof short === 'string') return [{ name, type: short }];
    const object = objectOf(property.value, constants);
    if (object === undefined) return [];
    const { type, ...rest } = detailsOf(object, constants);
    return typeof type === 'string' ? [{ name, type, ...rest }] : [];
  });
}

/**
 * The literal parts of `shownOfProp`; `unread` names the options and default that are computed. Includes those of the
 * prop's `propDefinition`, if its app is in the same text.
 */
function detailsOf(
  object: ObjectExpression,
  constants: Constants,
  depth = 0,
): Readonly<Record<string, unknown>> {
  const known = shownOfProp.flatMap((key) => {
    const value = plainValue(propertyOf(object, key), constants);
    return value === undefined ? [] : [[key, value] as const];
  });
  const own = Object.fromEntries(known);
  const unread = ['options', 'default'].filter(
    (key) => own[key] === undefined && propertyOf(object, key) !== undefined,
  );
  const base = depth > 5 ? undefined : definitionOf(object, constants);
  const inherited = base === undefined ? {} : detailsOf(base, constants, depth + 1);
  return { ...inherited, ...own, ...(unread.length > 0 && { unread }) };
}

/** The definition that `propDefinition: [app, "name"]` refers to. */
function definitionOf(
  object: ObjectExpression,
  constants: Constants,
): ObjectExpression | undefined {
  const reference = propertyOf(object, 'propDefinition');
  if (reference?.type !== 'ArrayExpression') return undefined;
  const [app, name] = reference.elements;
  const known = plainValue(name ?? undefined, constants);
  if (typeof known !== 'string') return undefined;
  const definitions = objectOf(app ?? undefined, constants);
  const all = definitions && objectOf(propertyOf(definitions, 'propDefinitions'), constants);
  return all && objectOf(propertyOf(all, known), constants);
}

function importsOf(program: Program): string[] {
  const found = new Set<string>();
  const add = (node: AnyNode | null | undefined): void => {
    if (node?.type === 'Literal' && typeof node.value === 'string') found.add(node.value);
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one);
      return;
    }
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as AnyNode;
    if (
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      node.type === 'ExportNamedDeclaration' ||
      node.type === 'ImportExpression'
    ) {
      add(node.source);
    }
    if (
      node.type === 'CallExpression' &&
      node.callee.type === 'Identifier' &&
      node.callee.name === 'require'
    ) {
      add(node.arguments[0]);
    }
    for (const inside of Object.values(node)) visit(inside);
  };
  visit(program);
  return [...found];
}

function hostsIn(code: string): string[] {
  const found = new Set<string>();
  const pattern = /\b(?:https?|wss?):\/\/(\$\{[^}]{1,200}\})?([\w-]*(?:\.[\w-]+)*)/gi;
  for (const [, variable, host = ''] of code.matchAll(pattern)) {
    const name = host.replace(/^\./, '').toLowerCase();
    if (name.includes('.')) found.add(variable === undefined ? name : `*.${name}`);
    else if (variable !== undefined) found.add('*');
  }
  return [...found].sort();
}
