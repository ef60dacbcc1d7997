/**
 * Measures Weir beside its peers (docs/performance.md).
 *
 *     npm run bench -- [measure] [--json] [--seconds N] [--rounds N] [--only NAME]… [--build DIR]… [--profile DIR]
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPeers } from './harness/install-peers.mts';
import { describeMachine } from './harness/machine.mts';
import { payloadBytes } from './harness/payload.mts';
import { judge } from './measures/http-trigger-aims.mts';
import { formatReport, type Report } from './measures/http-trigger-report.mts';
import { connections, httpTrigger } from './measures/http-trigger.mts';
import { functionsFramework, miniflareDurable, miniflareMemory, nodeHttp } from './peers/peers.mts';
import { weir } from './peers/weir.mts';

const usage = `npm run bench -- [measure] [options]

measures
  http-trigger     an HTTP request becomes a kept event (the default)

options
  --json           one JSON document on stdout
  --seconds N      length of a round (3)
  --rounds N       rounds per peer (5); --seconds 1 --rounds 1 is a smoke test, not a measurement
  --only NAME      only peers whose name contains NAME, may be given again; node:http is always there
  --build DIR      measure this build of Weir as well, may be given again: to see what a change gives
  --profile DIR    also write a CPU profile of Weir's runtime there, for VS Code to open
`;

const { values, positionals } = readArguments();
const [measure = 'http-trigger', ...more] = positionals;
if (measure !== 'http-trigger' || more.length > 0)
  fail(`There is no measure "${positionals.join(' ')}".`);
const seconds = positive('seconds', values.seconds);
const rounds = Math.ceil(positive('rounds', values.rounds));
const profile = values.profile === undefined ? undefined : resolve(values.profile);
if (profile !== undefined) mkdirSync(profile, { recursive: true });

const others = [
  weir({ name: 'Weir', dist: resolve('dist'), profile }),
  ...(values.build ?? []).map((build) => weir({ name: `Weir in ${build}`, dist: resolve(build) })),
  functionsFramework,
  miniflareMemory,
  miniflareDurable,
];
const wanted = values.only?.map((name) => name.toLowerCase());
const peers = [
  nodeHttp,
  ...others.filter(
    ({ name }) => wanted === undefined || wanted.some((part) => name.toLowerCase().includes(part)),
  ),
];

installPeers();
const machine = describeMachine();
const note = (line: string) => console.error(line);
const results = await httpTrigger({ peers, seconds, rounds, note });
const report: Report = {
  measure,
  machine,
  connections,
  payloadBytes,
  seconds,
  rounds,
  peers: results,
  aims: judge(results),
};
console.log(values.json ? JSON.stringify(report, null, 2) : `\n${formatReport(report)}`);

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
