/** What the menu of each kind of row holds: the view, words of the row, and titles group by group. */
export const rowMenus: readonly (readonly [
  what: string,
  view: string,
  words: string,
  menu: readonly string[],
])[] = [
  [
    'a source with an endpoint',
    'weir.sources',
    'Orders',
    [
      '1_run: Run Source Now, Debug Component, Run with Event…, Update Source, Start Dev Mode',
      '2_copy: Copy Endpoint URL, Copy as cURL, Compose Request',
      '2_edit: Configure Source…, Rename Source…, Create Subscription…, Deactivate Source',
      '9_delete: Delete Source…',
      'inline: Run Source Now, Open Code, Copy Endpoint URL',
      'navigation: Open Code, Show Run…, Show Logs of Source',
    ],
  ],
  [
    'a source with a timer',
    'weir.sources',
    'Tick',
    [
      '1_run: Run Source Now, Debug Component, Run with Event…, Update Source, Start Dev Mode',
      '2_edit: Configure Source…, Rename Source…, Create Subscription…, Deactivate Source',
      '9_delete: Delete Source…',
      'inline: Run Source Now, Open Code',
      'navigation: Open Code, Show Run…, Show Logs of Source',
    ],
  ],
  [
    'a run',
    'weir.sources',
    'POST /',
    [
      '1_run: Show Run…, Replay…, Debug Run…, Retry Run…, Copy as cURL, Save as HTTP Request',
      '2_edit: Save Run as Test…',
      'inline: Debug Run…, Retry Run…',
    ],
  ],
  [
    'an event',
    'weir.events',
    'Order 2',
    [
      '1_run: Inspect Event…, Open Event as JSON…, Compare Events, Show Run…, Replay…, Debug Run…',
      '9_delete: Delete Events…',
      'inline: Inspect Event…',
    ],
  ],
  [
    'a webhook',
    'weir.subscriptions',
    '/hook',
    [
      '2_edit: Create Subscription…, Rotate Signing Secret',
      '9_delete: Delete Webhook…',
      'inline: Create Subscription…',
    ],
  ],
  ['a subscription', 'weir.subscriptions', 'Orders', ['9_delete: Delete Subscription']],
  [
    'a delivery',
    'weir.subscriptions',
    'Order 3',
    ['1_run: Show Delivery…, Redeliver', 'inline: Redeliver'],
  ],
];
