import * as z from 'zod';
import { debugState } from './debug.ts';
import { event } from './events.ts';
import { done, flag, id, millis, seconds } from './fields.ts';
import { storedTrigger, thrownError } from './invocations.ts';
import { logLine } from './logs.ts';
import { operation } from './operation.ts';
import { requestLine } from './outgoing-requests.ts';
import { pageOf, paging } from './page.ts';

export const workflowTrigger = z.object({
  id: z
    .string()
    .nullable()
    .describe('hi_… or ti_… of an endpoint or timer, the emitter listened to'),
  type: z.enum(['http', 'timer', 'email', 'source', 'workflow', 'unknown']),
  endpoint_url: z.string().optional(),
  custom_response: z.boolean().optional().describe('answered by $.respond'),
  cron: z.string().optional(),
  interval_seconds: z.number().optional(),
  next_tick_at: millis.nullable().optional(),
});

export const workflowStep = z.object({
  namespace: z.string(),
  path: z.string().describe('below the workflow, such as if_1.yes.post'),
  type: z.enum(['action', 'block']),
  uses: z.string().nullable(),
  component_id: z.string().nullable().describe('sc_…'),
  disabled: z.boolean(),
  line: z.number().int().describe('in workflow.yaml, from 1'),
});

export const workflow = z.object({
  id: z.string().describe('p_…'),
  name: z.string(),
  name_slug: z.string(),
  active: z.boolean(),
  deployment_id: z.string().describe('d_…'),
  path: z.string().describe('absolute path of its folder'),
  triggers: z.array(workflowTrigger),
  steps: z.array(workflowStep),
  stream_url: z.string().describe('where $.send.sse is read: server-sent events, without a key'),
  debug: debugState.nullable().describe('null while it is not debugged'),
  created_at: seconds,
  updated_at: seconds,
});

export const executionStatus = z.enum([
  'queued',
  'running',
  'paused',
  'succeeded',
  'failed',
  'cancelled',
  'crashed',
  'timed_out',
  'dropped',
]);

export const execution = z.object({
  id: z.string().describe('exec_…'),
  workflow_id: z.string().describe('p_…'),
  trace_id: z.string(),
  status: executionStatus,
  reason: z.string().nullable().describe('why it ended, where its status does not say it'),
  cause: z.enum(['http', 'timer', 'event', 'workflow', 'manual', 'replay', 'hook']),
  request: z.object({ method: z.string(), path: z.string() }).nullable(),
  deployment_id: z.string().nullable().describe('null until its first step has ended'),
  replay_of: z.string().nullable().describe('whose trigger or results it began with'),
  test: z
    .boolean()
    .describe('of the files as they were; it emitted, delivered and scheduled nothing'),
  created_at: millis,
  started_at: millis.nullable(),
  ended_at: millis.nullable(),
  resumes_at: millis.nullable().describe('of one that is paused until a time'),
  error: thrownError.nullable(),
});

export const stepRun = z.object({
  namespace: z.string(),
  path: z.string().describe('such as each_1[3].post'),
  run: z.number().int().describe('1, and more when $.flow.rerun runs it again'),
  attempt: z.number().int(),
  status: z.enum(['running', 'succeeded', 'failed', 'retrying', 'paused', 'cancelled']),
  continued: z.boolean().describe('it failed, and the execution went on: `on_error: continue`'),
  started_at: millis.nullable(),
  ended_at: millis.nullable(),
  leg: z.number().int().describe('the stretch between pauses, from 1'),
  pinned: z.string().nullable().describe('name of the pin that stood in for it, in a test'),
  props: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'what it was given, a secret as {secret: true}; of a loop {on: its list}; null when that is not kept',
    ),
  exports: z.record(z.string(), z.unknown()),
  return_value: z.unknown().describe('of a block that has ended what later steps read of it'),
  summary: z.string().nullable(),
  logs: z.array(logLine),
  error: thrownError.nullable(),
  pause: z
    .object({
      kind: z.enum(['delay', 'suspend', 'rerun', 'retry']),
      resumes_at: millis.nullable(),
      resume_url: z.string(),
      cancel_url: z.string(),
    })
    .nullable(),
});

export const send = z.object({
  id: z.string().describe('send_…'),
  path: z.string().describe('of the step'),
  kind: z.enum(['http', 'email', 's3', 'sse', 'trigger']),
  status: z.enum(['pending', 'sent', 'failed', 'not_sent']).describe('not_sent: of a test'),
  /** As the step gave it. */
  sent: z.record(z.string(), z.unknown()),
  answer: z.unknown(),
  error: thrownError.nullable(),
  created_at: millis,
  ended_at: millis.nullable(),
});

/** The first call of `$.respond`. */
export const givenResponse = z.object({
  path: z.string().describe('of the step'),
  status: z.number().int(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.string().describe('its first 64 KB'),
  body_encoding: z.enum(['utf8', 'base64']),
  body_bytes: z.number().int().describe('of all of it'),
});

/** Something that does not keep a workflow from running. */
export const deployWarning = z.object({
  severity: z.enum(['warning', 'info']),
  message: z.string(),
  file: z.string(),
  line: z.number().int().describe('from 1'),
  column: z.number().int().describe('from 0'),
});
const warnings = z.array(deployWarning).describe('what the file says to no effect, and the like');
export const deployedWorkflow = workflow.extend({ warnings });

/** Lines from 1, columns from 0. */
const diagnostic = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  line: z.number().int(),
  column: z.number().int(),
  end_line: z.number().int(),
  end_column: z.number().int(),
});

const usableComponent = z.object({
  key: z.string(),
  version: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  from: z.enum(['published', 'workspace', 'package']),
  path: z.string().nullable().describe('its file; null of a published one'),
  component_id: z.string().nullable().describe('sc_… of a published one'),
});

/** Beside its requests and sends: what a test changed, and what it held back. */
const outgoing = z.object({
  mode: z
    .enum(['real', 'dry', 'reads'])
    .describe(
      'real: its steps sent what they send; dry: nothing left the runtime; reads: GET and HEAD only, as nobody has chosen yet',
    ),
  records: z
    .number()
    .int()
    .describe('records of data stores that it changed; of a dry run in copies that are gone'),
  cleared: z.number().int().describe('data stores that it emptied, likewise'),
  db: z.number().int().describe('keys of its db that it changed; that is a copy in every test'),
  held: z.array(z.string()).describe('sentences about what was held back'),
});

export const wholeExecution = execution.extend({
  trigger: storedTrigger.nullable().describe('what started it; null when it is not kept'),
  steps: z.array(stepRun),
  sends: z.array(send).describe('what its legs have sent beside events'),
  requests: z.array(requestLine).describe('HTTP requests that the code of its steps made'),
  response: givenResponse
    .nullable()
    .describe('what a step answered with, whether somebody waited or not'),
  outgoing: outgoing
    .optional()
    .describe('of a test; left out of one that ran before this runtime started'),
});

const workflowPath = z.string().min(1).describe('absolute path of its folder or workflow.yaml');
const wait = flag.optional().describe('answers when it has ended, or is paused');
const pins = z
  .record(z.string(), z.union([z.string(), z.record(z.string(), z.unknown())]))
  .optional()
  .describe(
    'what stands in for a step, by its name: the name of a pin, or what later steps read of it',
  );

const expand = z.enum(['event', '']).optional().describe('whole payloads');
const executionId = z.string().describe('exec_…');
const oneExecution = z.object({ id: executionId });

export const operations = {
  'workflows.list': operation({
    scope: 'read',
    summary: 'List deployed workflows',
    input: z.object({ ...paging }),
    output: pageOf(workflow),
    rest: [{ method: 'GET', path: '/v1/workflows' }],
  }),
  'workflows.get': operation({
    scope: 'read',
    summary: 'One workflow',
    input: z.object({ id, include_code: flag.optional().describe('with inputs') }),
    output: workflow.extend({
      inputs: z
        .array(z.string())
        .optional()
        .describe('with include_code: the local files of its code, workflow.yaml among them'),
    }),
    rest: [{ method: 'GET', path: '/v1/workflows/{id}' }],
  }),
  'workflows.deploy': operation({
    scope: 'deploy',
    summary: 'Deploy a workflow: the same folder again is a new deployment of the same workflow',
    input: z.object({
      workflow_path: workflowPath,
      install: flag.optional().describe('whether missing packages may be installed'),
      debug: flag
        .optional()
        .describe('debug it from now on: its process waits for a debugger before it loads a step'),
    }),
    output: deployedWorkflow,
    rest: [{ method: 'POST', path: '/v1/workflows' }],
  }),
  'workflows.check': operation({
    scope: 'deploy',
    summary: 'What is wrong with the text of a workflow.yaml; nothing is deployed',
    input: z.object({ text: z.string() }),
    output: z.object({ diagnostics: z.array(diagnostic) }),
  }),
  'workflows.components': operation({
    scope: 'deploy',
    summary: 'The components that steps of a workflow may use with key@version',
    input: z.object({ workflow_path: workflowPath }),
    output: z.object({ data: z.array(usableComponent) }),
  }),
  'workflows.component': operation({
    scope: 'deploy',
    summary: 'Where the code of key@version is, as a deploy of the workflow would find it',
    input: z.object({ workflow_path: workflowPath, uses: z.string() }),
    output: usableComponent.pick({ path: true, component_id: true }),
  }),
  'workflows.update': operation({
    scope: 'deploy',
    summary: 'Rename a workflow, or switch it on or off',
    input: z.object({ id, name: z.string().min(1).optional(), active: flag.optional() }),
    output: workflow,
    rest: [{ method: 'PUT', path: '/v1/workflows/{id}' }],
  }),
  'workflows.delete': operation({
    scope: 'deploy',
    summary: 'Delete a workflow with all its executions, including paused ones',
    input: z.object({ id }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/workflows/{id}' }],
  }),
  'workflows.events': operation({
    scope: 'read',
    summary:
      'What a workflow emitted with $.send.emit, newest first, under event.raw_event; payloads above 1 KB are cut unless expand=event',
    input: z.object({
      id,
      ...paging,
      expand,
      event_name: z.string().optional().describe('channel; all unless given'),
      include_dropped: flag.optional().describe('also what was dropped, with the reason'),
    }),
    output: pageOf(event),
    rest: [{ method: 'GET', path: '/v1/workflows/{id}/event_summaries' }],
  }),
  'workflows.errors': operation({
    scope: 'read',
    summary:
      'Executions that failed, newest first, each as the event of the channel $errors: original_event, original_context and error',
    input: z.object({ id, ...paging, expand }),
    output: pageOf(event),
    rest: [{ method: 'GET', path: '/v1/workflows/{id}/$errors/event_summaries' }],
  }),
  'executions.list': operation({
    scope: 'read',
    summary: 'Executions of a workflow, newest first',
    input: z.object({ id, ...paging }),
    output: pageOf(execution),
    rest: [{ method: 'GET', path: '/v1/workflows/{id}/executions' }],
  }),
  'executions.start': operation({
    scope: 'deploy',
    summary: 'Start an execution by hand; answers when it is stored, or at its end',
    input: z.object({
      id,
      event: z.unknown().optional().describe('steps.trigger.event'),
      email: z
        .string()
        .optional()
        .describe('instead of an event: a message as it is sent (RFC 822), as text or in base64'),
      from_step: z
        .string()
        .optional()
        .describe(
          'path or name of a step: those before it are not run, what they exported in an execution is copied',
        ),
      execution: z
        .string()
        .optional()
        .describe('exec_… that is gone on from; the newest that came to that step unless given'),
      wait,
    }),
    output: wholeExecution,
    // A message of 30 MB in base64.
    rest: [{ method: 'POST', path: '/v1/workflows/{id}/executions', bodyLimit: 42 * 1024 * 1024 }],
  }),
  'executions.test': operation({
    scope: 'deploy',
    summary:
      'Run the files of a workflow as they are, deployed or not: a dry run, or a real test. In both no step waits, and nothing is emitted, delivered or scheduled. In a dry run requests are answered from what "execution" recorded, and data stores are copies; in a real test steps send and write',
    input: z.object({
      workflow_path: workflowPath.optional(),
      id: id.optional().describe('of a workflow, instead of its path: id or name slug'),
      event: z.unknown().optional().describe('steps.trigger.event'),
      step: z
        .string()
        .optional()
        .describe(
          'path or name of the one step that runs, with what an execution has for those before it',
        ),
      execution: z
        .string()
        .optional()
        .describe(
          'exec_… whose trigger and results are taken; of a step the newest that came to it unless given',
        ),
      pins,
      default_pins: flag
        .optional()
        .describe('whether the pin "default" of other steps stands in for them; true unless given'),
      install: flag.optional().describe('whether missing packages may be installed'),
      mode: z
        .enum(['dry', 'real', 'ask'])
        .optional()
        .describe(
          'dry unless given; ask: the one that is remembered for the workflow, or else GET and HEAD are sent and all else is held back, so that a person can be asked',
        ),
      remember: flag.optional().describe('whether "mode" is what "ask" means from now on'),
      debug: flag.optional().describe('its process waits for a debugger; debug.stop ends that'),
      wait: flag.optional().describe('answers when it has ended'),
    }),
    output: wholeExecution.extend({ warnings }),
    rest: [{ method: 'POST', path: '/v1/executions/test' }],
  }),
  'executions.get': operation({
    scope: 'read',
    summary: 'One execution with its steps, as far as they have ended',
    input: oneExecution.extend({ wait }),
    output: wholeExecution,
    rest: [{ method: 'GET', path: '/v1/executions/{id}' }],
  }),
  'executions.cancel': operation({
    scope: 'deploy',
    summary:
      'Cancel an execution: one that runs ends when its step does, or at once when it is asked again',
    input: oneExecution,
    output: execution,
    rest: [{ method: 'POST', path: '/v1/executions/{id}/cancel' }],
  }),
  'executions.resume': operation({
    scope: 'deploy',
    summary: 'Resume a paused execution, as its resume URL would, or try a failed step again now',
    input: oneExecution.extend({
      path: z.string().optional().describe('of the step; needed when several wait'),
      event: z.unknown().optional().describe('$resume_data'),
      as_due: flag
        .optional()
        .describe(
          'as if the time had come that it waits for: a suspended one that is not resumed in time is cancelled',
        ),
    }),
    output: execution,
    rest: [{ method: 'POST', path: '/v1/executions/{id}/resume' }],
  }),
  'executions.pin': operation({
    scope: 'deploy',
    summary: 'Keep the results of a step as a pin, a file that stands in for the step in tests',
    input: oneExecution.extend({
      step: z.string().describe('path or name of the step'),
      name: z.string().optional().describe('of the pin; "default" unless given'),
      replace: flag.optional().describe('whether it may take the place of one of that name'),
    }),
    output: z.object({ file: z.string(), step: z.string(), name: z.string() }),
    rest: [{ method: 'POST', path: '/v1/executions/{id}/pin' }],
  }),
  'executions.replay': operation({
    scope: 'deploy',
    summary:
      'Run the trigger of an execution again, on the newest deployment unless asked otherwise',
    input: oneExecution.extend({
      from_step: z
        .string()
        .optional()
        .describe(
          'path or name of a step: those before it are not run, what they exported is copied',
        ),
      from_failed: flag
        .optional()
        .describe('begins with the step that failed, instead of "from_step"'),
      props: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('instead of the props that the file gives to that step'),
      as_deployed: flag.optional().describe('on the deployment that it ran with'),
      wait,
    }),
    output: wholeExecution,
    rest: [{ method: 'POST', path: '/v1/executions/{id}/replay' }],
  }),
};
