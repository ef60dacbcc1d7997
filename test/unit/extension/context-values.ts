import {
  deliveryLine,
  healthOf,
  subscriptionLine,
  webhookLine,
} from '../../../src/extension/views/listener-line.ts';
import {
  actionRunLine,
  agentCallLine,
  agentGroupLine,
  offeredActionLine,
  offerLine,
  offerProblemLine,
} from '../../../src/extension/views/agent-line.ts';
import { eventLine } from '../../../src/extension/views/event-line.ts';
import { failedRunsLine, invocationLine } from '../../../src/extension/views/invocation-line.ts';
import {
  accountLine,
  accountUserLine,
  appLine,
  dataStoreLine,
  dbLine,
  moreValuesLine,
  valueLine,
} from '../../../src/extension/views/kept-line.ts';
import { moreLine } from '../../../src/extension/views/line.ts';
import { scheduledEventLine, scheduledLine } from '../../../src/extension/views/scheduled-line.ts';
import { sourceLine } from '../../../src/extension/views/source-line.ts';
import { executionLine } from '../../../src/extension/workflows/execution-line.ts';
import { pinLine, pinsLine } from '../../../src/extension/workflows/pin-line.ts';
import { stepLine } from '../../../src/extension/workflows/step-line.ts';
import { workflowLine } from '../../../src/extension/workflows/workflow-line.ts';
import * as make from './make.ts';

/** The context value of every kind of row in every state: what menus can match. */
export const shownContextValues: readonly string[] = [
  ...[true, false].flatMap((active) =>
    ['http', 'timer', 'manual'].flatMap((kind) =>
      [null, '/w/a.mjs'].map((path) =>
        sourceLine(
          make.source({
            active,
            path,
            endpoint_url: kind === 'http' ? 'http://127.0.0.1:1/h/hi_1' : null,
            configurable_props:
              kind === 'timer' ? [{ name: 'timer', type: '$.interface.timer' }] : [],
          }),
          0,
        ),
      ),
    ),
  ),
  sourceLine(make.source({ webhook: make.sourceWebhook() }), 0),
  accountLine(make.account({ webhook: { ...make.sourceWebhook(), url: 'http://x/h/ah_1' } }), 0),
  scheduledLine({ total: 1, nextAt: 1 }, 0),
  scheduledEventLine(make.event({}), 0),
  eventLine(make.event({}), 0),
  eventLine(make.event({ dropped: 'unique: id 1 was emitted before' }), 0),
  sourceLine(make.source({ last_invocation: make.invocation({ status: 'running' }) }), 0),
  ...(['succeeded', 'failed', 'running'] as const).flatMap((status) => [
    ...[null, 'deploy' as const].map((hook) =>
      invocationLine(make.invocation({ status, hook }), 0),
    ),
    invocationLine(make.invocation({ status, request: { method: 'GET', path: '/' } }), 0),
  ]),
  sourceLine(make.source({}), 0, { unseen: 2 }),
  sourceLine(make.source({ path: '/w/a.mjs' }), 0, { isMissing: true }),
  failedRunsLine(3, 0),
  failedRunsLine(3, 1),
  moreLine('moreRuns', '4'),
  webhookLine(make.webhook({}), healthOf([])),
  webhookLine(make.webhook({}), healthOf([make.delivery({ status: 'exhausted' })])),
  subscriptionLine(make.subscription({}), 'Orders'),
  deliveryLine(make.delivery({}), 0, 'Order 1'),
  appLine({ id: 'acme', name: 'acme' }, 1),
  accountLine(make.account({}), 0),
  accountLine(make.account({ healthy: false, dead: true }), 0),
  accountUserLine({ type: 'source', id: 'dc_1', name: 'Hi', path: null }),
  dbLine('db'),
  dataStoreLine({ id: 'ds_1', name: 'Seen', created_at: 0 }),
  valueLine({ key: 'a', value: 1, expiresAt: null }, 0),
  moreValuesLine(3),
  ...[true, false].flatMap((active) => [
    workflowLine(make.workflow({ active }), undefined, 0),
    workflowLine(make.workflow({ active, triggers: [make.httpTrigger] }), undefined, 0),
  ]),
  ...(['queued', 'running', 'paused', 'succeeded', 'failed'] as const).flatMap((status) => [
    executionLine(make.execution({ status }), 0),
    executionLine(make.execution({ status, request: { method: 'GET', path: '/' } }), 0),
  ]),
  ...(['running', 'paused', 'succeeded'] as const).map((status) =>
    stepLine(make.stepRun({ status }), 0),
  ),
  stepLine(make.stepRun({}), 0, { path: 'a', because: 'code', of: null }),
  pinsLine([]),
  pinLine(make.pin()),
  moreLine('moreExecutions', '3'),
  agentGroupLine('offers', 1),
  offerLine({ what: 'gitlab', accounts: {}, live: [] }, 'gitlab'),
  offeredActionLine(make.offeredAction({}), []),
  offeredActionLine(make.offeredAction({ live: true }), ['Main']),
  offerProblemLine('a.mjs is not offered.'),
  agentCallLine(make.agentCall({}), 0),
  agentCallLine(make.agentCall({ uri: 'weir://action-runs/arun_1' }), 0),
  actionRunLine(make.actionRun({}), 0),
].map(({ contextValue }) => contextValue);
