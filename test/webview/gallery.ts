import type { ConfigurableProp } from '../../src/protocol/definition.ts';
import type { FormModel } from '../../src/webview/prop-form/messages.ts';
import { model } from './support/form.ts';

/** A prop of every kind, as far as a form shows them. */
export const everyKind: readonly Partial<ConfigurableProp>[] = [
  {
    name: 'notice',
    type: 'alert',
    alertType: 'warning',
    content: 'Needs the **admin** role. [How to get it](https://example.com/admin)',
  },
  { name: 'slack', type: 'app', app: 'slack' },
  { name: 'channel', label: 'Channel', description: 'Where it listens.', remoteOptions: true },
  { name: 'greeting', label: 'Greeting', description: 'What the caller gets back, in `Markdown`.' },
  { name: 'count', type: 'integer', label: 'How many', min: 1, max: 10, default: 3 },
  { name: 'archived', type: 'boolean', label: 'Archived ones too' },
  { name: 'colour', label: 'Colour', options: [{ label: 'Blue', value: 'blue' }, 'red'] },
  { name: 'labels', type: 'string[]', label: 'Labels', options: ['bug', 'feature', 'question'] },
  { name: 'paths', type: 'string[]', label: 'Paths' },
  { name: 'headers', type: 'object', label: 'Headers' },
  { name: 'filter', type: 'any', label: 'Filter' },
  { name: 'token', label: 'Token', secret: true },
  {
    name: 'timer',
    type: '$.interface.timer',
    label: 'Schedule',
    default: { intervalSeconds: 900 },
  },
  {
    name: 'fixed',
    type: '$.interface.timer',
    label: 'Housekeeping',
    static: { intervalSeconds: 3600 },
  },
  { name: 'http', type: '$.interface.http' },
  { name: 'db', type: '$.service.db' },
  { name: 'unseen', hidden: true },
  { name: 'off', label: 'Region', disabled: true, default: 'eu' },
  { name: 'note', label: 'Note', optional: true },
  { name: 'verbose', type: 'boolean', label: 'Verbose', optional: true },
];

export const gallery: FormModel = model(everyKind, {
  description: 'Emits each ticket of a **project**. [What it needs](https://example.com/tickets)',
});
