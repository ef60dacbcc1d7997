import type { Account, DataStore } from '../../protocol/catalogue.ts';
import { accountHealth, type AccountHealth } from '../../protocol/account-health.ts';
import { countOf } from '../count-of.ts';
import type { KeptValue } from '../model/kept-values.ts';
import type { AccountUserNode } from './nodes.ts';
import { moreLine, relativeTime, tokens, type Line } from './line.ts';

/** A description is cut by the side bar anyway; a whole value is in its document. */
const previewLength = 80;

export function valueLine({ key, value, expiresAt }: KeptValue, now: number): Line {
  const json = JSON.stringify(value);
  const preview = json.length > previewLength ? `${json.slice(0, previewLength)}…` : json;
  const expires = expiresAt === null ? undefined : `expires ${relativeTime(expiresAt, now)}`;
  // A key that is empty, or ends in a blank, would be a row without a label.
  const label = key.trim() === key && key !== '' ? key : JSON.stringify(key);
  return {
    label,
    // How long it stays is short, and would be cut off behind a long value.
    description: [expires, preview].filter((part) => part !== undefined).join(' · '),
    icon: icons[kindOf(value)],
    contextValue: tokens('value'),
    accessible: [label, kindOf(value), expires, preview].filter(Boolean).join(', '),
  };
}

/** @param prop name of the `$.service.db` prop */
export function dbLine(prop: string): Line {
  return {
    label: prop,
    description: 'what the source keeps',
    icon: 'database',
    contextValue: tokens('db', 'holder'),
    accessible: `${prop}, what the source keeps`,
  };
}

export function dataStoreLine({ name }: DataStore): Line {
  return {
    label: name,
    description: '',
    icon: 'database',
    contextValue: tokens('dataStore', 'holder'),
    accessible: `${name}, data store`,
  };
}

/** @param hidden how many keys are not shown */
export function moreValuesLine(hidden: number): Line {
  return moreLine('moreValues', countOf(hidden, 'key'));
}

export function appLine({ name }: Account['app'], accounts: number): Line {
  return {
    label: name,
    description: '',
    icon: 'plug',
    contextValue: tokens('app'),
    accessible: `${name}, app, ${countOf(accounts, 'account')}`,
  };
}

export function accountLine(account: Account, now: number): Line {
  const { id, name, dead } = account;
  const health = accountHealth(account, now);
  const look = health && looks[health.state];
  const shared = account.kept_for === 'user' ? 'shared by your folders' : undefined;
  const description = [look?.words, shared, id].filter((part) => part !== undefined).join(' · ');
  return {
    label: name,
    description,
    icon: look?.icon ?? 'account',
    ...(look?.colour !== undefined && { colour: look.colour }),
    contextValue: tokens(
      'account',
      shared === undefined ? 'own' : undefined,
      dead === undefined ? undefined : 'oauth',
      account.webhook === undefined ? undefined : 'webhook',
    ),
    accessible: `${name}, account, ${description}`,
  };
}

const looks: Record<
  AccountHealth['state'],
  { readonly words: string; readonly icon: string; readonly colour?: string }
> = {
  healthy: { words: 'healthy', icon: 'account' },
  expiring: { words: 'expiring', icon: 'warning', colour: 'weir.paused' },
  failing: { words: 'failing', icon: 'warning', colour: 'weir.failed' },
  dead: { words: 'needs you', icon: 'error', colour: 'weir.failed' },
};

export function accountUserLine({ type, id, name }: AccountUserNode['user']): Line {
  return {
    label: name,
    description: id,
    icon: type === 'source' ? 'broadcast' : 'type-hierarchy',
    contextValue: tokens('accountUser'),
    accessible: `${name}, ${type} that uses the account`,
  };
}

type Kind = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object';

const icons: Record<Kind, string> = {
  text: 'symbol-string',
  number: 'symbol-numeric',
  boolean: 'symbol-boolean',
  null: 'circle-slash',
  list: 'symbol-array',
  object: 'symbol-object',
};

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'object';
}
