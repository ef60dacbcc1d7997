/** Uses of `$` in a step's code that no word in it reveals (pure). */

const word = String.raw`[\w$]+`;

/** Whether it may call what only its run names: `$['res' + 'pond'](…)`, `Reflect.get($, name)`, `getattr(pd, name)`. */
export function computesDollar(code: string): boolean {
  return dollarsOf(code).some((name) => {
    const literal = String.raw`(?:'[^']*'|"[^"]*"|${'`[^`$]*`'}|\d+)`;
    const indexed = new RegExp(
      String.raw`(?<![\w$.])(?:${word}\.)?${name}\s*(?:\?\.)?\[(?!\s*${literal}\s*\])`,
    );
    const listed = new RegExp(
      String.raw`(?:Reflect\.\w+|Object\.\w+|getattr|vars|new Proxy)\(\s*(?:${word}\.)?${name}\s*[,)]`,
    );
    const unpacked = new RegExp(
      String.raw`\{[^{}]*\[[^{}]*\}\s*=\s*(?:${word}\.)?${name}(?![\w$.\[])`,
    );
    return indexed.test(code) || listed.test(code) || unpacked.test(code);
  });
}

/** Whether it hands its `$` on, so that code which it imports may answer: `answer($)`, `{ ...$ }`, `const all = { $ }`. */
export function handsOnDollar(code: string): boolean {
  return dollarsOf(code).some((name) =>
    new RegExp(String.raw`(?:[(,=:[]|\.\.\.)\s*(?:${word}\.)?${name}\s*[,);\]}\n]`).test(code),
  );
}

/** The names that it gives its `$`: itself, and what it renames it to. `pd` in Python. */
function dollarsOf(code: string): string[] {
  const renamed = [...code.matchAll(/(?<![\w$])\$\s*:\s*([A-Za-z_]\w*)/g)].flatMap(
    ([, name]) => name ?? [],
  );
  const handler = [...code.matchAll(/def\s+handler\s*\(\s*(\w+)/g)].flatMap(
    ([, name]) => name ?? [],
  );
  return [String.raw`\$`, ...renamed, ...handler];
}

/** Whether the code of a package has a call or a member of this name; the word alone says nothing. */
export function callsRespond(bundle: string): boolean {
  return /\.respond\b|\[\s*['"`]respond['"`]\s*\]|[{,]\s*respond\s*[,:}]/.test(bundle);
}
