/**
 * The life of a component's process, from top to bottom. The runtime (src/runtime/processes) starts it with the pipes
 * of `hostPipes`. The process announces that it is ready, imports one bundle (`load`), gets its props (`configure`),
 * and calls the component for each `work` it receives. It ends when the runtime requests it or is gone, or when
 * component code ends it.
 */
import { mkdirSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { encodeFrame, FrameReader } from '../../protocol/frames.ts';
import {
  hostPipes,
  type Batch,
  type FromHost,
  type HostConfiguration,
  type ThrownError,
  type ToHost,
  type Work,
} from '../../protocol/host.ts';
import type { ComponentDefinition } from '../../protocol/definition.ts';
import { decode } from '../../protocol/message-pack/decode.ts';
import { callComponent } from './calls/call.ts';
import { Outbox } from './channel/outbox.ts';
import { RuntimeRequests } from './channel/requests.ts';
import { configureComponent, type ConfiguredComponent } from './instance/instance.ts';
import { toJson } from './json.ts';
import type { LoadedComponent } from './module/component.ts';
import { loadComponent } from './module/load.ts';
import { watchRequests } from './outgoing/watch-requests.ts';
import { rememberOrigins } from './output/call-origins.ts';
import { captureConsole } from './output/console.ts';
import { CurrentInvocation } from './output/current-invocation.ts';
import { Invocation } from './output/invocation.ts';
import { thrownError } from './output/thrown.ts';
import { reportExits, UnhandledRejections } from './process/exits.ts';
import { Inspector } from './process/inspector.ts';
import { watchPending } from './process/pending.ts';
import { WorkflowSteps } from './steps/workflow-steps.ts';

const inspector = new Inspector();
process.setSourceMapsEnabled(true);

// `process.exit` of Node ends in this call; component code gets one that reports the exit first.
const { reallyExit } = process as unknown as { reallyExit(this: void, code: number): never };
const endProcess = (code: number): never => {
  // Otherwise the exit would wait until the debugger has detached itself.
  inspector.close();
  return reallyExit(code);
};

const channel = new Socket({ fd: hostPipes.channel });
// Component code may put a `write` of its own into the place of Node's.
const write = channel.write.bind(channel);
const outbox = new Outbox({
  send(batch: Batch<FromHost>, sent: () => void): void {
    // An error means that the runtime is gone, and then the channel closes, which ends this process.
    write(encodeFrame(batch), () => sent());
  },
  sendFinal(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(hostPipes.finalMessages, bytes, at);
  },
});
const requests = new RuntimeRequests((message) => outbox.post(message));
const current = new CurrentInvocation(new Invocation(0, outbox, null));
const rejections = new UnhandledRejections();

/** The definition that a workflow's process reports after loading: steps are described when they are deployed. */
const workflowProcess: ComponentDefinition = {
  name: 'workflow',
  key: null,
  type: 'action',
  version: null,
  description: null,
  dedupe: null,
  props: [],
  hooks: [],
  hasRun: true,
  hasAdditionalProps: false,
};

let loaded: LoadedComponent | undefined;
let hasPending: (() => boolean) | undefined;
let configured: ConfiguredComponent | undefined;
/** The steps of a workflow's process. */
const steps = new WorkflowSteps(requests.ask, () => current.get());
let outputMb = Number.POSITIVE_INFINITY;

const frames = new FrameReader(Number.POSITIVE_INFINITY);
channel.on('data', (chunk: Buffer) => {
  frames.push(chunk, (body) => {
    for (const message of (decode(body) as Batch<ToHost>).m) receive(message);
  });
});
channel.on('error', () => endProcess(0));
channel.on('close', () => endProcess(0));

reportExits(current, outbox, rejections, endProcess);
captureConsole(current, inspector);
rememberOrigins();
outbox.post({ t: 'ready' });

function receive(message: ToHost): void {
  switch (message.t) {
    case 'load':
      void load(message);
      break;
    case 'configure':
      configure(message.configuration);
      break;
    case 'configureStep':
      steps.configure(message);
      break;
    case 'forgetExecution':
      steps.forget(message.execution);
      break;
    case 'work':
      start(message.n, message.work);
      break;
    case 'reply':
      requests.settle(message);
      break;
    case 'inspect':
      inspect(message.on);
      break;
    case 'pending':
      outbox.post({ t: 'pending', isPending: requests.size > 0 || hasPending?.() === true });
      break;
    case 'end':
      endProcess(0);
      break;
  }
}

async function load(message: Extract<ToHost, { t: 'load' }>): Promise<void> {
  const { bundle, redirects, debug } = message;
  hasPending = watchPending();
  outputMb = message.outputMb;
  try {
    if (debug === true) attachDebugger();
    if (message.dry !== undefined) {
      const { installDryRun } = await import('./redirects/dry-run.ts');
      installDryRun(message.dry, (sentence) => {
        current.get().heldBack ??= sentence;
        // Reported without waiting: the process may end before the reply.
        requests.ask({ of: 'held_back', message: sentence }).catch(() => undefined);
      });
    } else if (Object.keys(redirects).length > 0) {
      // Imported only when it is needed: it needs a TLS stack, which is a tenth of the start-up time.
      const { installRedirects } = await import('./redirects/install.ts');
      installRedirects(redirects);
    }
    if (bundle === null || message.recordsRequests === true) watchRequests(() => current.get());
    const definition = bundle === null ? workflowProcess : await loadOne(bundle);
    outbox.post({ t: 'loaded', definition: toJson(definition) });
  } catch (error) {
    outbox.post({ t: 'loadFailed', error: thrownError(error) });
  }
}

async function loadOne(bundle: string): Promise<ComponentDefinition> {
  // Component code finds its own file in argv.
  process.argv = [process.execPath, bundle];
  loaded = await loadComponent(bundle);
  return loaded.definition;
}

function attachDebugger(): void {
  // Nothing may be awaited between `open` and the wait: a debugger that attached in between would not
  // end it. Each message is sent at once, as this thread is blocked right after it.
  outbox.post({ t: 'inspector', url: inspector.open() });
  outbox.flush();
  inspector.waitForDebugger();
  outbox.post({ t: 'attached' });
  outbox.flush();
}

function inspect(on: boolean): void {
  if (!on) inspector.close();
  outbox.post({ t: 'inspector', url: on ? inspector.open() : null });
}

function configure(configuration: HostConfiguration): void {
  if (loaded === undefined) throw new Error('configured before it was loaded');
  useEnvironment(configuration);
  configured = configureComponent(loaded, configuration, requests.ask);
}

function useEnvironment({ sourceId, stashDir }: HostConfiguration): void {
  if (sourceId === undefined) delete process.env['PD_COMPONENT'];
  else process.env['PD_COMPONENT'] = sourceId;
  if (stashDir !== undefined) {
    // Components write files below `STASH_DIR`, else below /tmp, and expect it to exist (P15.4, P15.5).
    mkdirSync(stashDir, { recursive: true, mode: 0o700 });
    process.env['STASH_DIR'] = stashDir;
  }
}

/** Pieces of work run side by side; each ends in one `done`. */
function start(n: number, work: Work): void {
  const invocation = new Invocation(n, outbox, current.background, outputMb);
  const failed = (reason: unknown): void => {
    const result = steps.takeRequests(invocation);
    current.end(invocation);
    const thrown = thrownError(reason);
    const held = heldBackIn(invocation);
    // The stack of another error tells of what the code made of it.
    const error = held?.message === thrown.message ? { ...thrown, ...held } : (held ?? thrown);
    outbox.postDone(invocation, result === undefined ? { error } : { error, result });
  };
  current.run(invocation, () => {
    const ended = call(work, invocation).then(async (result) => {
      await invocation.released;
      current.end(invocation);
      const error = heldBackIn(invocation);
      outbox.postDone(invocation, {
        ...(error !== undefined && { error }),
        ...(result !== undefined && { result }),
      });
    });
    if (inspector.isOpen) rejections.expect(ended, failed);
    else ended.catch(failed);
  });
}

/** The error of code that continued after a dry run refused something; undefined if nothing was refused. */
function heldBackIn({ heldBack }: Invocation): ThrownError | undefined {
  return heldBack === undefined ? undefined : { name: 'HeldBack', message: heldBack };
}

function call(work: Work, invocation: Invocation): Promise<string | undefined> {
  if (work.call === 'step') return steps.call(work.step, invocation);
  if (work.call === 'block') return steps.choose(work.block, invocation);
  if (work.call === 'event') return steps.event(work.trigger);
  if (work.call === 'value') return steps.value(work);
  if (configured === undefined) throw new Error('given work before it was configured');
  return callComponent(configured, work, invocation);
}
