/**
 * Measures Weir beside its peers (docs/performance.md).
 *
 *     npm run bench -- [measure] [--json] [--seconds N] [--rounds N] [--only NAME]… [--build DIR]… [--profile DIR]
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { allBundles, build } from '../scripts/bundles.mts';
import { installPinned } from '../scripts/npm.mts';
import { builder } from './measures/builder.mts';
import { completion } from './measures/completion.mts';
import { day } from './measures/day.mts';
import { debugging } from './measures/debugging.mts';
import { delivery } from './measures/delivery.mts';
import { deploy } from './measures/deploy.mts';
import { editor } from './measures/editor.mts';
import { executionPage } from './measures/execution-page.mts';
import { httpTrigger } from './measures/http-trigger.mts';
import { many } from './measures/many.mts';
import type { Measure } from './measures/measure.mts';
import { paused } from './measures/paused.mts';
import { scale } from './measures/scale.mts';
import { server } from './measures/server.mts';
import { sse } from './measures/sse.mts';
import { store } from './measures/store.mts';
import { workflows } from './measures/workflows.mts';

const measures: Readonly<Record<string, Measure>> = {
  'http-trigger': httpTrigger,
  builder,
  completion,
  day,
  debugging,
  delivery,
  deploy,
  editor,
  'execution-page': executionPage,
  many,
  paused,
  scale,
  server,
  sse,
  store,
  workflows,
};

const usage = `npm run bench -- [measure] [options]

measures
${Object.entries(measures)
  .map(([name, { summary }]) => `  ${name.padEnd(15)}  ${summary}`)
  .join('\n')}

options
  --json           one JSON document on stdout
  --seconds N      length of a round (3)
  --rounds N       rounds per peer (5); --seconds 1 --rounds 1 is a smoke test, not a measurement
  --profile DIR    also write a CPU profile of Weir's runtime there, for VS Code to open
  --only NAME      http-trigger, workflows, scale: only peers whose name contains NAME, may be given again;
                   node:http is always there
  --build DIR      http-trigger: measure this build of Weir as well, may be given again: to see what a
                   change gives
`;

const { values, positionals } = readArguments();
const [name = 'http-trigger', ...more] = positionals;
const measure = measures[name];
if (measure === undefined || more.length > 0) {
  fail(`There is no measure "${positionals.join(' ')}".`);
}
const seconds = positive('seconds', values.seconds);
const rounds = Math.ceil(positive('rounds', values.rounds));
const profile = values.profile === undefined ? undefined : resolve(values.profile);
if (profile !== undefined) mkdirSync(profile, { recursive: true });

if (name === 'http-trigger')
  await installPinned(import.meta.dirname, (line) => console.error(line));
// As it ships; a profile needs the names of functions. (`debugging` drives dist/, as developers do.)
const dist = resolve('.cache', 'bench');
await build({
  names: allBundles,
  outdir: dist,
  production: profile === undefined,
  watch: false,
});
const { report, text } = await measure.run({
  seconds,
  rounds,
  dist,
  only: values.only?.map((part) => part.toLowerCase()),
  builds: (values.build ?? []).map((build) => resolve(build)),
  profile,
  note: (line) => console.error(line),
});
console.log(values.json ? JSON.stringify(report, null, 2) : `\n${text}`);

function readArguments() {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        seconds: { type: 'string', default: '3' },
        rounds: { type: 'string', default: '5' },
        only: { type: 'string', multiple: true },
        build: { type: 'string', multiple: true },
        profile: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (parsed.values.help) {
      console.log(usage);
      process.exit(0);
    }
    return parsed;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  return value > 0 && Number.isFinite(value)
    ? value
    : fail(`--${name} takes a number above 0, not "${text}".`);
}

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}
