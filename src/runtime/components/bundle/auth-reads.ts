/**
 * Which fields of `$auth` a file reads, by parsing it (pure): what an account of its app needs, before there is
 * one. Nothing is run. What is computed, or passed on as a whole, is not found.
 */
import { parse, type AnyNode, type Expression, type Pattern } from 'acorn';

export interface AuthReads {
  /** Slug of the app, when the file is that of an app. */
  readonly app: string | null;
  /** Fields by the owner of `$auth`: the name of a prop or variable, or "" for `this` and if it is unknown. */
  readonly byOwner: ReadonlyMap<string, readonly string[]>;
  /**
   * By whose `$auth` it is, as above: everything that takes one, also as a whole. `Object.keys($auth)` takes no
   * credential: each file of an app that Pipedream's generator began has that line.
   */
  readonly takenFrom: ReadonlySet<string>;
}

/** @param code JavaScript @returns undefined when it does not parse */
export function authReads(code: string): AuthReads | undefined {
  let program: AnyNode;
  try {
    program = parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowReturnOutsideFunction: true,
      allowHashBang: true,
    });
  } catch {
    return undefined;
  }
  const reader = new Reader();
  // First other names for `$auth` are found, then the keys that are read from it.
  eachNode(program, (node) => reader.learn(node));
  eachNode(program, (node) => reader.read(node));
  return { app: reader.app, byOwner: reader.byOwner, takenFrom: reader.takenFrom };
}

function eachNode(node: AnyNode, visit: (node: AnyNode) => void): void {
  visit(node);
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) eachNode(child, visit);
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

class Reader {
  app: string | null = null;
  readonly byOwner = new Map<string, string[]>();
  readonly takenFrom = new Set<string>();
  readonly #namesOnly = new Set<AnyNode>();
  /** Variables that are a `$auth`, and methods that return one. */
  readonly #variables = new Map<string, string>();
  readonly #methods = new Map<string, string>();

  learn(node: AnyNode): void {
    if (node.type === 'ObjectExpression') this.app ??= appOf(node, false);
    else if (node.type === 'ExportDefaultDeclaration') this.#learnExport(node.declaration);
    else if (node.type === 'CallExpression') this.#learnCall(node);
    else if (node.type === 'VariableDeclarator' && node.init) this.#bind(node.id, node.init);
    else if (node.type === 'AssignmentExpression' && node.operator === '=') {
      if (isModuleExports(node.left)) this.#learnExport(node.right);
      this.#bind(node.left, node.right);
    } else if ('params' in node && Array.isArray(node.params))
      for (const parameter of node.params) this.#unpack(parameter, '');
    else if (node.type === 'Property') this.#learnMethod(node);
  }

  read(node: AnyNode): void {
    this.#readTaken(node);
    if (node.type !== 'MemberExpression') return;
    const owner = this.#owner(node.object);
    const name = owner === undefined ? undefined : nameOf(node.property, node.computed);
    if (owner !== undefined && name !== undefined) this.#add(owner, name);
  }

  #readTaken(node: AnyNode): void {
    if (node.type === 'ObjectPattern') {
      const names = node.properties.map((one) =>
        one.type === 'Property' ? nameOf(one.key, one.computed) : undefined,
      );
      if (names.includes('$auth')) this.takenFrom.add('');
    }
    if (node.type !== 'MemberExpression' || this.#namesOnly.has(node)) return;
    if (nameOf(node.property, node.computed) !== '$auth') return;
    this.takenFrom.add(calledOf(node.object) ?? '');
  }

  #learnExport(value: AnyNode): void {
    const exported = value.type === 'CallExpression' ? value.arguments[0] : value;
    if (exported?.type === 'ObjectExpression') this.app ??= appOf(exported, true);
  }

  #learnCall({ callee, arguments: given }: Extract<AnyNode, { type: 'CallExpression' }>): void {
    const [only, ...others] = given;
    if (only === undefined || others.length > 0 || callee.type !== 'MemberExpression') return;
    if (calledOf(callee.object) !== 'Object') return;
    if (nameOf(callee.property, callee.computed) === 'keys') this.#namesOnly.add(only);
  }

  /** A method whose body returns a `$auth`, such as `auth() { return this.$auth; }`. */
  #learnMethod({ key, value, computed }: Extract<AnyNode, { type: 'Property' }>): void {
    const name = nameOf(key, computed);
    if (name === undefined || !isNode(value) || !('body' in value)) return;
    const { body } = value as { body?: AnyNode | AnyNode[] };
    const returned =
      isNode(body) && body.type === 'BlockStatement'
        ? body.body.flatMap((one) => (one.type === 'ReturnStatement' ? (one.argument ?? []) : []))
        : isNode(body)
          ? [body]
          : [];
    for (const one of returned) {
      const owner = this.#owner(one);
      if (owner !== undefined) this.#methods.set(name, owner);
    }
  }

  #bind(target: Pattern | AnyNode, value: Expression): void {
    const owner = this.#owner(value);
    if (owner === undefined) this.#unpack(target, calledOf(value) ?? '');
    else this.#take(target, owner);
  }

  /** Takes apart what is not a `$auth` but may have one in it: `const { slack: { $auth } } = this`. */
  #unpack(target: AnyNode, owner: string): void {
    const pattern = target.type === 'AssignmentPattern' ? target.left : target;
    if (pattern.type !== 'ObjectPattern') return;
    for (const property of pattern.properties) {
      if (property.type !== 'Property') continue;
      const name = nameOf(property.key, property.computed);
      if (name === '$auth') this.#take(property.value, owner);
      else if (name !== undefined) this.#unpack(property.value, name);
    }
  }

  /** The target of a `$auth`: a variable, or the fields that are read. */
  #take(target: AnyNode, owner: string): void {
    const pattern = target.type === 'AssignmentPattern' ? target.left : target;
    if (pattern.type === 'Identifier') this.#variables.set(pattern.name, owner);
    if (pattern.type !== 'ObjectPattern') return;
    for (const property of pattern.properties) {
      if (property.type !== 'Property') continue;
      const name = nameOf(property.key, property.computed);
      if (name !== undefined) this.#add(owner, name);
    }
  }

  /** The owner of the `$auth` that an expression reads; undefined if it reads none. */
  #owner(node: AnyNode): string | undefined {
    if (node.type === 'ChainExpression') return this.#owner(node.expression);
    if (node.type === 'LogicalExpression') return this.#owner(node.left);
    if (node.type === 'AwaitExpression') return this.#owner(node.argument);
    if (node.type === 'Identifier') return this.#variables.get(node.name);
    if (node.type === 'CallExpression') {
      const { callee } = node;
      const name =
        callee.type === 'MemberExpression' ? nameOf(callee.property, callee.computed) : undefined;
      return name === undefined ? undefined : this.#methods.get(name);
    }
    if (node.type !== 'MemberExpression') return undefined;
    if (nameOf(node.property, node.computed) !== '$auth') return undefined;
    return calledOf(node.object) ?? '';
  }

  #add(owner: string, name: string): void {
    if (!/^[a-z_][\w-]*$/i.test(name)) return;
    const names = this.byOwner.get(owner) ?? [];
    if (!names.includes(name)) this.byOwner.set(owner, [...names, name]);
  }
}

/** The name of an object: `slack` of `this.slack` and of `slack`; undefined for `this`. */
function calledOf(node: AnyNode): string | undefined {
  if (node.type === 'ChainExpression') return calledOf(node.expression);
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' ? nameOf(node.property, node.computed) : undefined;
}

function nameOf(node: AnyNode, isComputed: boolean): string | undefined {
  if (!isComputed && node.type === 'Identifier') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function isModuleExports(node: AnyNode): boolean {
  return (
    node.type === 'MemberExpression' &&
    calledOf(node.object) === 'module' &&
    nameOf(node.property, node.computed) === 'exports'
  );
}

/**
 * The slug in `{ type: "app", app: "acme", … }`; a prop of an app has no methods.
 * @param isExported it is what the file exports, so that it is the app itself
 */
function appOf(
  { properties }: Extract<AnyNode, { type: 'ObjectExpression' }>,
  isExported: boolean,
): string | null {
  const values = new Map<string, AnyNode>();
  for (const property of properties) {
    if (property.type !== 'Property') continue;
    const name = nameOf(property.key, property.computed);
    if (name !== undefined) values.set(name, property.value);
  }
  const [type, app] = [values.get('type'), values.get('app')];
  const isApp = type?.type === 'Literal' && type.value === 'app';
  const isWhole = isExported || values.has('methods') || values.has('propDefinitions');
  return isApp && isWhole && app?.type === 'Literal' && typeof app.value === 'string'
    ? app.value
    : null;
}
