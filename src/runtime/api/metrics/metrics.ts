/**
 * The metrics that Prometheus reads at `/metrics`. At the first request, the library is loaded and counting begins: a
 * runtime without a scraper pays nothing, and a counter that begins late is one that began at 0.
 */
import type { OnRequested, Requested } from '../../server/requested.ts';
import type { DeliveryRecord } from '../../store/history/deliveries.ts';
import type { Services } from '../../events/services.ts';

/** How much there is at this moment. */
export interface Depths {
  /** Runs of sources. */
  readonly runs: Depth;
  /** Executions of workflows, without the paused ones. */
  readonly executions: Depth;
  /** To webhooks; `retrying` wait for their next attempt. */
  readonly deliveries: { readonly waiting: number; readonly retrying: number };
  /** Starts of component processes. */
  readonly starts: Depth;
  readonly clients: number;
  readonly processes: number;
}

export interface Depth {
  readonly waiting: number;
  readonly running: number;
}

export interface NamedEmitter {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

export interface MetricsOptions extends Pick<Services, 'signals'> {
  readonly version: string;
  readonly depths: () => Depths;
  readonly emitters: () => readonly NamedEmitter[];
  readonly kindOf: (emitterId: string) => NamedEmitter['kind'];
}

export interface Metrics {
  readonly contentType: string;
  /** In the text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly requested: OnRequested;
  /** To endpoints, at another node. */
  readonly requestedElsewhere: (requests: readonly RequestedElsewhere[]) => void;
}

export interface RequestedElsewhere {
  readonly status: number;
  /** How long each took. */
  readonly ms: readonly number[];
}

/** From a run that only emits to the longest that one may take. */
const runSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const ended: ReadonlySet<string> = new Set(['succeeded', 'failed', 'crashed', 'cancelled']);

export async function createMetrics(options: MetricsOptions): Promise<Metrics> {
  const { signals, depths, emitters, kindOf } = options;
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } =
    await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const byEmitter = (name: string, help: string, ...more: string[]) =>
    new Counter({ name, help, labelNames: ['emitter', ...more], registers });
  const events = byEmitter('weir_events_total', 'Events emitted');
  const dropped = byEmitter('weir_events_dropped_total', 'Events dropped, such as duplicates');
  const runs = byEmitter('weir_runs_total', 'Runs of sources that ended', 'status');
  const executions = byEmitter(
    'weir_executions_total',
    'Executions of workflows that ended',
    'status',
  );
  const duration = new Histogram({
    name: 'weir_run_duration_seconds',
    help: 'From the beginning of a run or an execution to its end',
    labelNames: ['kind'],
    buckets: runSeconds,
    registers,
  });
  const waited = new Histogram({
    name: 'weir_run_wait_seconds',
    help: 'From the trigger of a run or an execution to its beginning',
    labelNames: ['kind'],
    buckets: runSeconds,
    registers,
  });
  const attempts = new Counter({
    name: 'weir_delivery_attempts_total',
    help: 'Attempts at deliveries to webhooks, by what became of the delivery',
    labelNames: ['webhook', 'status'],
    registers,
  });
  const requests = new Histogram({
    name: 'weir_requests_duration_seconds',
    help: 'Requests to endpoints, to REST and over RPC, by the class of their status',
    labelNames: ['face', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers,
  });
  const info = new Gauge({
    name: 'weir_info',
    help: 'Always 1; its version as a label',
    labelNames: ['version'],
    registers,
  });
  info.set({ version: options.version }, 1);
  const gauge = (name: string, help: string, labels: string[], collect: (to: Set) => void) =>
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers,
      collect() {
        this.reset();
        collect((value, label = {}) => this.set(label, value));
      },
    });
  gauge('weir_queue_depth', 'What waits for its turn, and what goes on', ['of', 'state'], (set) => {
    const { runs: run, executions: execution, deliveries, starts } = depths();
    const all = { runs: run, executions: execution, deliveries, starts };
    for (const [of, depth] of Object.entries(all)) {
      for (const [state, count] of Object.entries(depth)) set(count, { of, state });
    }
  });
  gauge('weir_clients', 'Connections over RPC', [], (set) => set(depths().clients));
  gauge('weir_component_processes', 'Processes of components', [], (set) =>
    set(depths().processes),
  );
  gauge(
    'weir_emitter_info',
    'Always 1; names of the sources and workflows',
    ['emitter', 'name', 'kind'],
    (set) => {
      for (const { id: emitter, name, kind } of emitters()) set(1, { emitter, name, kind });
    },
  );

  signals.on('committed', ({ run, commit }) => {
    const { emitterId: emitter, status } = commit;
    if (commit.events.length > 0) events.inc({ emitter }, commit.events.length);
    if (commit.drops.length > 0) dropped.inc({ emitter }, commit.drops.length);
    if (!ended.has(status)) return;
    const kind = kindOf(emitter);
    (kind === 'workflow' ? executions : runs).inc({ emitter, status });
    const { createdAt, startedAt, endedAt } = run.record();
    if (startedAt === null) return;
    waited.observe({ kind }, secondsOf(startedAt - createdAt));
    if (endedAt !== null) duration.observe({ kind }, secondsOf(endedAt - startedAt));
  });
  signals.on('due', ({ emitterId: emitter, made }) => events.inc({ emitter }, made.events.length));
  signals.on('delivery', ({ webhookId: webhook, status }: DeliveryRecord) =>
    attempts.inc({ webhook, status }),
  );
  // Labels of what is gone would be kept for as long as the runtime runs.
  signals.on('emitterDeleted', (emitter) => {
    for (const counter of [events, dropped]) counter.remove({ emitter });
    for (const counter of [runs, executions]) {
      for (const status of ended) counter.remove({ emitter, status });
    }
  });
  signals.on('webhookDeleted', (webhook) => {
    for (const status of ['delivered', 'retrying', 'exhausted']) {
      attempts.remove({ webhook, status });
    }
  });

  const requested = (face: Face, status: number, ms: number): void =>
    requests.observe({ face, status: `${Math.floor(status / 100)}xx` }, ms / 1000);
  return {
    contentType: registry.contentType,
    text: async () => withoutControls(await registry.metrics()),
    requested: ({ method, path, status, ms }: Requested) =>
      requested(faceOf(method, path), status, ms),
    requestedElsewhere: (told) => {
      for (const { status, ms: each } of told) {
        for (const ms of each) requested('endpoint', status, ms);
      }
    },
  };
}

type Set = (value: number, labels?: Record<string, string>) => void;

type Face = 'rpc' | 'endpoint' | 'rest';

function faceOf(method: string, path: string): Face {
  if (method === 'RPC') return 'rpc';
  return path === '/h/' ? 'endpoint' : 'rest';
}

/** A clock that was set back makes no time negative. */
function secondsOf(ms: number): number {
  return Math.max(0, ms) / 1000;
}

/** Names are others' texts, and `curl` shows them on a terminal: a control character is written as an escape. */
function withoutControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, (character) => {
    return `\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
