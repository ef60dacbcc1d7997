import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Older subjects have other forms. */
const last = 'a83ddcce';
const longest = 72;

/** Verbs that end like no imperative does, and are one. */
const imperatives = new Set(['embed', 'feed', 'need', 'speed', 'bring', 'ping', 'sing', 'string']);
const endings = [
  [/ing$/, 'ing'],
  [/ed$/, 'ed'],
  [/(?<![su])s$/, 's'],
] as const;

/**
 * What is wrong with the subject of a commit, `area: imperative` in at most 72 characters; undefined for a good one.
 * What a dictionary would have to know is left to the reader.
 */
export function faultOfSubject(subject: string): string | undefined {
  const [, verb] = /^[a-z][a-z0-9-]*: ([a-z]+)\b/.exec(subject) ?? [];
  if (verb === undefined) return 'it must read "area: imperative", in lower case';
  if (subject.length > longest) return `it has ${subject.length} characters, at most ${longest}`;
  if (subject.endsWith('.')) return 'it must not end in a dot';
  const ending = endings.find(([pattern]) => pattern.test(verb) && !imperatives.has(verb));
  return ending && `"${verb}" ends in "${ending[1]}": say what the commit does as an order`;
}

/** Checks the commits of this branch that are newer than `last`. Without git, or in a shallow clone, there is nothing to check. */
function main(): void {
  const format = '--format=%h%x09%s';
  const { status, stdout } = spawnSync('git', ['log', '--no-merges', format, `${last}..HEAD`], {
    encoding: 'utf8',
  });
  if (status !== 0) return console.log('The commits were not checked: git does not have them all.');
  const commits = stdout.split('\n').filter((line) => line !== '');
  for (const line of commits) {
    const [id = '', subject = ''] = line.split('\t');
    const fault = faultOfSubject(subject);
    if (fault === undefined) continue;
    console.error(`${id} "${subject}": ${fault}.`);
    process.exitCode = 1;
  }
  console.log(`${commits.length} commit subjects checked`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
