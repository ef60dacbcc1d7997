/**
 * Places where code reads a step by its name (pure): `steps.greet`, `steps["greet"]`, in Python `pd.steps["greet"]`.
 */

const reads =
  /(?<![\w$])steps\s*(?:\??\.\s*([A-Za-z_$][\w$]*)|(?:\?\.\s*)?\[\s*["'`]([\w$-]+)["'`])/g;

/** The offsets of the name itself. */
export function* readsOf(code: string, name: string): Generator<number> {
  for (const match of code.matchAll(reads)) {
    const [whole, plain, quoted] = match;
    if ((plain ?? quoted) === name) yield match.index + whole.lastIndexOf(name);
  }
}
