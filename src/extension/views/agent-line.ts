/** The rows of the view of agents, as data. */
import type {
  AgentCall,
  AgentOffer,
  KeptActionRun,
  OfferedAction,
} from '../../protocol/catalogue.ts';
import { formatDuration } from './invocation-line.ts';
import { relativeTime, tokens, type Line } from './line.ts';

export type AgentGroup = 'offers' | 'calls' | 'runs';

const groups: Record<AgentGroup, { readonly label: string; readonly icon: string }> = {
  offers: { label: 'Offered Actions', icon: 'tools' },
  calls: { label: 'Calls', icon: 'comment-discussion' },
  runs: { label: 'Runs of Actions', icon: 'zap' },
};

export function agentGroupLine(group: AgentGroup, count: number): Line {
  const { label, icon } = groups[group];
  const description = count === 0 ? 'none' : '';
  return {
    label,
    description,
    icon,
    contextValue: tokens('agentGroup', group),
    accessible: count === 0 ? `${label}, none` : label,
  };
}

/** @param label of what is offered: a path as the workspace has it, a key or an app */
export function offerLine({ live }: AgentOffer, label: string): Line {
  const description = live.length === 0 ? 'dry run' : `${live.length} for real`;
  return {
    label,
    description,
    icon: 'package',
    contextValue: tokens('agentOffer'),
    accessible: `${label}, offered to agents, ${description}`,
  };
}

/** @param accounts names of the accounts that the action gets */
export function offeredActionLine(action: OfferedAction, accounts: readonly string[]): Line {
  const { name, live, destructive } = action;
  const description = [
    live ? 'for real' : 'dry run',
    live && destructive ? 'may destroy' : undefined,
    ...accounts,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    label: name,
    description,
    icon: live ? 'zap' : 'beaker',
    ...(live && { colour: 'weir.paused' }),
    contextValue: tokens('offeredAction', live ? 'live' : 'dry'),
    accessible: `${name}, action, ${description}`,
  };
}

export function offerProblemLine(problem: string): Line {
  return {
    label: problem,
    description: '',
    icon: 'warning',
    colour: 'weir.paused',
    contextValue: tokens('offerProblem'),
    accessible: `Problem: ${problem}`,
  };
}

const outcomes: Record<AgentCall['outcome'], { readonly icon: string; readonly colour: string }> = {
  answered: { icon: 'pass', colour: 'weir.succeeded' },
  failed: { icon: 'error', colour: 'weir.failed' },
  refused: { icon: 'circle-slash', colour: 'weir.paused' },
  cancelled: { icon: 'circle-slash', colour: 'weir.inactive' },
};

export function agentCallLine(call: AgentCall, now: number): Line {
  const { tool, outcome, agent, key, at, ms, uri } = call;
  const description = [
    outcome === 'answered' ? undefined : outcome,
    // That of this machine's own users says nothing.
    key === undefined || key === 'local' ? agent : `${agent} (key ${key})`,
    formatDuration(ms),
    relativeTime(Date.parse(at), now),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    label: tool,
    description,
    ...outcomes[outcome],
    contextValue: tokens('agentCall', uri === undefined ? undefined : 'made'),
    accessible: `${tool}, call, ${outcome}, ${description}`,
  };
}

const statuses: Record<
  KeptActionRun['status'],
  { readonly icon: string; readonly colour?: string }
> = {
  running: { icon: 'loading~spin' },
  succeeded: { icon: 'pass', colour: 'weir.succeeded' },
  failed: { icon: 'error', colour: 'weir.failed' },
  cancelled: { icon: 'circle-slash', colour: 'weir.inactive' },
  crashed: { icon: 'flame', colour: 'weir.failed' },
};

export function actionRunLine(run: KeptActionRun, now: number): Line {
  const { key, name, status, error, agent, started_at: started, ended_at: ended } = run;
  const label = key ?? name;
  const description = [
    error === null
      ? status === 'succeeded'
        ? undefined
        : status
      : `${error.name}: ${error.message}`,
    agent ?? undefined,
    ended === null ? undefined : formatDuration(ended - started),
    relativeTime(ended ?? started, now),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    label,
    description,
    ...statuses[status],
    contextValue: tokens('actionRun', status),
    accessible: `${label}, run of an action, ${status}, ${description}`,
  };
}
