/** What plain English leaves out, as far as a pattern can tell (pure). */

export interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
}

export const rules: readonly Rule[] = [
  {
    pattern:
      /(?<!\b[Tt]here )\b(?:is|are) no (?!longer\b|more\b|faster\b|slower\b|better\b|worse\b)/,
    instead: '"is not a …"',
  },
  { pattern: /\bin (?:the )?place of\b/i, instead: '"instead of"' },
  { pattern: /\bfor ever\b/i, instead: '"permanently", or nothing' },
  { pattern: /\banew\b/i, instead: '"again"' },
  { pattern: /\bthose that\b/i, instead: 'the noun' },
  { pattern: /\bmade good\b/i, instead: '"fixed by a retry"' },
  { pattern: /\bTaken in\b/, instead: '"takes effect"' },
  {
    pattern:
      /\b(?:behaviour|colour(?!ed by)|favour|honour|centre|licenc[e]|neighbour|grey|(?:organ|recogn|serial|initial|normal|minim|maxim|author|summar)is(?:e|ed|es|ing|ation))\b/i,
    instead: 'the American spelling',
  },
];

/** The faults of one text, as "“in place of”: say "instead of"". */
export function faultsOf(text: string): string[] {
  return rules.flatMap(({ pattern, instead }) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined ? [] : [`“${found.trim()}”: say ${instead}`];
  });
}
