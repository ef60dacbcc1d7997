/**
 * The runtime's settings: VS Code's `weir.<name>` and `weir serve --set <name>=<value>` are the same
 * names. The limits are the platform's (P22.1) where it has one.
 */
import { WeirError } from '../../protocol/errors.ts';
import { installPolicies, type InstallPolicy } from './install-policy.ts';

export interface Settings {
  /** Longest time one run or hook may take. Platform: 300 s. */
  readonly 'run.timeoutSeconds': number;
  /** Memory of a component's process. Platform: 256 MB. */
  readonly 'run.memoryMb': number;
  /** Maximum output of one run (events, db writes, exports), in millions of characters. */
  readonly 'run.outputMb': number;
  /** HTTP requests of one source that run side by side; all other runs of a source are one by one. */
  readonly 'run.httpConcurrency': number;
  /** A component's process that had nothing to do for so long is ended; the next event starts one. */
  readonly 'run.idleSeconds': number;
  /** Largest body an endpoint takes. Platform: 512 KB. */
  readonly 'http.bodyLimitKb': number;
  /** Largest body that a caller may have kept as a file (`x-pd-upload-body`). */
  readonly 'http.uploadLimitMb': number;
  /** Requests a second with one named key; five seconds' worth may come at once. */
  readonly 'limits.keyPerSecond': number;
  /** The same limit for one endpoint, from other machines. */
  readonly 'limits.endpointPerSecond': number;
  /** With less free space on the disk of the data folder the server is not ready (`/healthz/ready`). */
  readonly 'health.freeMb': number;
  readonly 'retention.events': number;
  readonly 'retention.megabytes': number;
  readonly 'retention.days': number;
  /** Most events of one source that wait for their `delivery_ts`, and how large together. */
  readonly 'scheduled.events': number;
  readonly 'scheduled.megabytes': number;
  /** First attempts in flight per webhook; 1 keeps the order of emission. */
  readonly 'delivery.concurrency': number;
  /** Whether missing npm packages of a component are installed: ask, always, never. */
  readonly 'packages.install': InstallPolicy;
  /** `smtp://user:password@host:port` for `$.send.email`; empty: mails are kept as files. */
  readonly 'smtp.url': string;
  readonly 'smtp.from': string;
  /** Recipient of mails whose step names nobody. */
  readonly 'smtp.to': string;
  /** Address of the S3-compatible server for `$.send.s3`; empty: Amazon's. */
  readonly 's3.endpoint': string;
  /** Path of npm; empty: the one on the PATH. */
  readonly 'npm.path': string;
  /** JSON of an object, place by name: registries beside those of the files (P27.2). */
  readonly registries: string;
  /** Younger versions of an npm registry are asked about, and not taken unless they are named; 0 for none. */
  readonly 'registry.minimumAgeDays': number;
}

export const defaultSettings: Settings = {
  'run.timeoutSeconds': 300,
  'run.memoryMb': 256,
  'run.outputMb': 64,
  'run.httpConcurrency': 32,
  'run.idleSeconds': 300,
  'http.bodyLimitKb': 512,
  'http.uploadLimitMb': 100,
  'limits.keyPerSecond': 50,
  'limits.endpointPerSecond': 200,
  'health.freeMb': 64,
  'retention.events': 10_000,
  'retention.megabytes': 256,
  'retention.days': 30,
  'scheduled.events': 10_000,
  'scheduled.megabytes': 64,
  'delivery.concurrency': 1,
  'packages.install': 'always',
  'smtp.url': '',
  'smtp.from': 'weir@localhost',
  'smtp.to': 'me@localhost',
  's3.endpoint': '',
  'npm.path': '',
  registries: '{}',
  'registry.minimumAgeDays': 3,
};

/** @param assignments `name=value` each. Throws `bad_input` naming the one that is wrong. */
export function parseSettings(assignments: readonly string[]): Settings {
  const settings: Record<string, string | number> = { ...defaultSettings };
  for (const assignment of assignments) {
    const [name, value] = splitOnce(assignment, '=');
    const current = settings[name];
    if (value === undefined || current === undefined || !Object.hasOwn(defaultSettings, name)) {
      const known = Object.keys(defaultSettings).join(', ');
      throw new WeirError(
        'bad_input',
        `"${assignment}" is not a setting. Write name=value with one of: ${known}.`,
      );
    }
    if (name === 'packages.install') settings[name] = oneOf(name, value, installPolicies);
    else if (typeof current === 'string') settings[name] = value;
    else if (name === 'registry.minimumAgeDays' && value.trim() === '0') settings[name] = 0;
    else settings[name] = positiveNumber(name, value);
  }
  return settings as unknown as Settings;
}

function oneOf(name: string, text: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text;
  throw new WeirError(
    'bad_input',
    `The setting ${name} is one of ${choices.join(', ')}, not "${text}".`,
  );
}

function positiveNumber(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) {
    throw new WeirError(
      'bad_input',
      `The setting ${name} must be a number above 0, not "${text}".`,
    );
  }
  return value;
}

/** `HOST=URL` redirects of a component's requests. Throws `bad_input`. */
export function parseRedirects(assignments: readonly string[]): Record<string, string> {
  const redirects: Record<string, string> = {};
  for (const assignment of assignments) {
    const [host, url] = splitOnce(assignment, '=');
    if (host === '' || url === undefined || !isRedirectTarget(url)) {
      throw new WeirError(
        'bad_input',
        `"${assignment}" is not a redirect. Write HOST=URL, such as api.example.com=http://127.0.0.1:8080 or db.example.com=tcp://127.0.0.1:5432.`,
      );
    }
    redirects[host.toLowerCase()] = url;
  }
  return redirects;
}

/** `tcp` is for what does not speak HTTP, such as a database: it has no port of its own. */
function isRedirectTarget(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, port } = new URL(text);
  return /^https?:$/.test(protocol) || (protocol === 'tcp:' && port !== '');
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
