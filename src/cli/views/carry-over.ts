/** A carry-over for a person: what was requested, what has arrived, what is next (pure). */
import type { CarryOver } from '../../protocol/catalogue.ts';

const marks = { here: '✔', missing: '?', unread: '✖' } as const;

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** What to do with a step that was written, one sentence a line. */
export function stepNotes({ way, asked, until }: CarryOver): string[] {
  const parts = [
    counted(asked.accounts.length, 'account'),
    counted(asked.variables.length, 'variable'),
    counted(asked.data_stores.length, 'data store'),
    ...(asked.files === null ? [] : ['the files']),
  ];
  const next = {
    pull: 'Give that workflow an HTTP trigger with a custom response, deploy it, and run: weir carry-over pull URL',
    file: 'Test the step there, and run within half an hour: weir carry-over take URL',
    paste: 'Test the step there, copy what it returns, and run: weir carry-over take FILE',
  }[way];
  return [
    `The step asks for ${parts.join(', ')}, until ${dayOf(until)}.`,
    ...asked.accounts_not_asked.map((one) => notAskedText(one).trim()),
    'Paste it into a Node.js step of one workflow in each project there, and choose the accounts that it names.',
    next,
  ];
}

export function carryOverText(one: CarryOver): string {
  const { asked } = one;
  const rows = [
    ...asked.accounts.map(
      ({ id, app, state, bridge }) =>
        `  ${marks[state]} account ${id} of ${app}${noteOf(state)}${bridge ? `: a bridge, its token ends. Run: weir accounts connect ${app}` : ''}`,
    ),
    ...asked.accounts_not_asked.map(notAskedText),
    ...asked.variables.map(
      ({ name, state }) => `  ${marks[state]} variable ${name}${noteOf(state)}`,
    ),
    ...asked.data_stores.map(
      ({ id, records, total, state }) =>
        `  ${marks[state]} data store ${id}: ${records.toLocaleString('en-US')}${total === null ? '' : ` of ${total.toLocaleString('en-US')}`} records${noteOf(state)}`,
    ),
    ...(asked.files === null
      ? []
      : [
          `  ${marks[asked.files.state]} files: ${asked.files.here}${asked.files.total === null ? '' : ` of ${asked.files.total}`}${noteOf(asked.files.state)}`,
        ]),
    ...one.problems.map((problem) => `  ✖ ${problem}`),
  ];
  return [
    `Carry-over ${one.id}: ${stateOf(one)}`,
    ...rows,
    ...(one.complete ? afterwards : []),
  ].join('\n');
}

function notAskedText(one: CarryOver['asked']['accounts_not_asked'][number]): string {
  return `  ${marks.unread} account ${one.id} (used by ${one.used_by}) is not asked for, because its app is unknown. Fetch the component with "weir import", then write a new step.`;
}

/** What remains to do on the platform. */
const afterwards = [
  'Now there: delete the workflow with the step and its events, and its file in the File Store.',
  'Rotate the keys that matter: their ciphertext stays in the history of events for up to 365 days.',
];

function stateOf({ complete, ended, until }: CarryOver): string {
  if (complete) return 'complete. Its private key is deleted.';
  if (ended) return 'ended. Nothing more is taken.';
  return `open until ${dayOf(until)}`;
}

function noteOf(state: CarryOver['asked']['variables'][number]['state']): string {
  return state === 'unread' ? ': the step found none' : '';
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
