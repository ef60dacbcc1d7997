/**
 * Traces for OpenTelemetry: a span for each run and execution, with the steps, the deliveries and the runs of other emitters
 * that follow from it below. Spans are made from what is on disk, when it is: nothing waits for them, and a run costs the same
 * with a collector that is slow or gone. A bundle of its own (scripts/bundles.mts), loaded with `weir serve --traces`.
 */
import {
  type Context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Mask } from '../../../protocol/mask.ts';
import type { Committed } from '../../events/signals.ts';
import type { StepRun } from '../../store/history/executions.ts';
import { deliverySpan, type EndedSpan, runSpan, stepSpan, type TracedEmitter } from './spans.ts';
import type { Services } from '../../events/services.ts';

export interface TracingOptions extends Pick<Services, 'signals' | 'now'> {
  /**
   * Address of an OTLP collector; `/v1/traces` unless it has a path. Headers come from `OTEL_EXPORTER_OTLP_HEADERS`.
   */
  readonly url: string;
  readonly version: string;
  /** Undefined once it is deleted. */
  readonly emitter: (id: string) => TracedEmitter | undefined;
  readonly steps: (execution: number) => Promise<readonly StepRun[]>;
  /** Hides values of the environment in what errors say. */
  readonly mask: () => Mask;
  readonly warn: (message: string) => void;
}

export interface Tracing {
  /** Sends what is there; resolves when it is gone, cannot be sent, or after three seconds. Never rejects. */
  close(): Promise<void>;
}

/** How many runs are remembered as parents: runs that follow from an older one begin a trace of their own. */
const mostParents = 10_000;
const closeMs = 3000;
/** With its retries. */
const sendMs = 5000;
/** How often a missing collector is reported at most, in ms. */
const warnEveryMs = 60_000;

const ended: ReadonlySet<string> = new Set(['succeeded', 'failed', 'crashed', 'cancelled']);

export function createTracing(options: TracingOptions): Tracing {
  const { signals, emitter, steps, mask, now, version } = options;
  warnSeldom(options);
  const exporter = new OTLPTraceExporter({
    url: tracesUrl(options.url),
    timeoutMillis: sendMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'weir', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000 })],
  });
  const tracer = provider.getTracer('weir', version);
  /** Running executions, by their number. */
  const open = new Map<number, Span>();
  const parents = { runs: new Map<number, Context>(), deliveries: new Map<number, Context>() };

  const start = (span: EndedSpan, parent: Context): Span =>
    tracer.startSpan(span.name, { kind: span.kind, startTime: span.startedAt }, parent);
  const end = (begun: Span, { attributes, error, endedAt }: EndedSpan): void => {
    begun.setAttributes(attributes);
    if (error !== null) {
      const message = mask().text(error.message);
      begun.recordException({ name: error.name, message }, endedAt);
      begun.setStatus({ code: SpanStatusCode.ERROR, message });
    }
    begun.end(endedAt);
  };

  const endExecution = async (root: Span, span: EndedSpan, n: number): Promise<void> => {
    const below = trace.setSpan(ROOT_CONTEXT, root);
    for (const step of await steps(n)) {
      const one = stepSpan(step);
      end(start(one, below), one);
    }
    end(root, span);
  };

  const committed = ({ run, commit, made }: Committed): void => {
    const { n, emitterId, status } = commit;
    const traced = emitter(emitterId);
    if (traced === undefined) return;
    const span = runSpan(run.record(), traced, now());
    const root = open.get(n) ?? start(span, taken(parents.runs, n) ?? ROOT_CONTEXT);
    const below = trace.setSpan(ROOT_CONTEXT, root);
    for (const { n: child } of made.triggered) keep(parents.runs, child, below);
    for (const { delivery } of made.deliveries) keep(parents.deliveries, delivery.n, below);
    if (!ended.has(status)) return void open.set(n, root);
    open.delete(n);
    if (traced.kind === 'source') return end(root, span);
    endExecution(root, span, n).catch((error: unknown) => {
      options.warn(`The trace of an execution was not made: ${String(error)}`);
      end(root, span);
    });
  };
  signals.on('committed', committed);
  signals.on('delivery', (delivery) => {
    const span = deliverySpan(delivery, now());
    if (span === undefined) return;
    end(start(span, taken(parents.deliveries, delivery.n) ?? ROOT_CONTEXT), span);
  });
  return {
    close: () =>
      Promise.race([
        // A missing collector was reported already, and does not delay the stop.
        provider.shutdown().catch(() => undefined),
        new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref()),
      ]),
  };
}

/** @throws TypeError for what is no URL */
export function tracesUrl(text: string): string {
  const url = new URL(text);
  return url.pathname === '/' ? new URL('/v1/traces', url).href : url.href;
}

function keep(map: Map<number, Context>, n: number, context: Context): void {
  map.set(n, context);
  const [oldest] = map.keys();
  if (map.size > mostParents && oldest !== undefined) map.delete(oldest);
}

function taken(map: Map<number, Context>, n: number): Context | undefined {
  const found = map.get(n);
  map.delete(n);
  return found;
}

function warnSeldom({ warn, now }: TracingOptions): void {
  let last = Number.NEGATIVE_INFINITY;
  const tell = (message: string): void => {
    if (now() - last < warnEveryMs) return;
    last = now();
    warn(`Traces are not sent: ${message}`);
  };
  const nothing = (): void => undefined;
  const logger = { error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN });
}
