/** Examples of every command, by its name: what `--help` ends with and docs/cli.md shows. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  serve: [
    'weir serve',
    'weir serve --public-url https://my-tunnel.example.com',
    'weir serve --redirect api.github.com=http://127.0.0.1:8080 --set run.timeoutSeconds=60',
  ],
  init: [
    'weir init source "New orders" --http --db',
    'weir init action "Post a message" --typescript',
    'weir init app google_calendar',
  ],
  deploy: [
    'weir deploy inbox.mjs',
    'weir deploy github/new-issues.ts --account github=apn_x7Kq2Pz --prop repo=acme/site',
    'weir deploy poll.mjs --name "Poll staging" --props staging.json --no-hooks',
  ],
  update: [
    'weir update new-issues --file new-issues.ts',
    'weir update new-issues --prop repo=acme/shop',
    'weir update new-issues --deactivate',
  ],
  delete: ['weir delete new-issues', 'weir delete dc_x7Kq2Pz --ignore-hook-errors'],
  dev: ['weir dev inbox.mjs', 'weir dev inbox.mjs --dc dc_x7Kq2Pz'],
  invoke: [
    'weir invoke new-issues',
    `weir invoke inbox --event '{"body":{"n":1}}'`,
    'curl -s https://api.example.com/order/7 | weir invoke orders --event -',
  ],
  run: [
    'weir run post-message.mjs --prop text=Hello',
    'weir run post-message.mjs --props message.json --steps steps.json',
  ],
  stop: ['weir stop orders', 'weir stop orders inv_12'],
  replay: ['weir replay orders 1763676254000-0', 'weir replay orders --failed --since 2026-11-20'],
  publish: ['weir publish post-message.mjs', 'weir publish new-issues.ts --json'],
  'unpublish component': ['weir unpublish component acme-post-message'],
  list: ['weir list', 'weir list webhooks --json', 'weir list streams'],
  describe: ['weir describe inbox', 'weir describe inbox --code', 'weir describe del_42'],
  events: [
    'weir events inbox -n 50',
    'weir events inbox --follow --channel alerts',
    'weir events orders --search "ada@example.com shipped"',
    `weir events orders --channel '$errors'`,
  ],
  'scheduled list': ['weir scheduled list tasks'],
  'scheduled cancel': [
    'weir scheduled cancel tasks 1795291200000-71',
    'weir scheduled cancel tasks --all',
  ],
  logs: ['weir logs inbox', 'weir logs inbox -n 20 --follow'],
  'accounts add': [
    'weir accounts add github --name "My account" --field oauth_access_token',
    'weir accounts add acme --field api_key=$ACME_KEY',
  ],
  'accounts list': ['weir accounts list'],
  'accounts delete': ['weir accounts delete apn_x7Kq2Pz'],
  'webhooks create': [
    'weir webhooks create https://example.com/hook --name Production',
    'weir webhooks create http://127.0.0.1:8080/ --json',
  ],
  'webhooks list': ['weir webhooks list'],
  'webhooks rotate': [
    'weir webhooks rotate wh_x7Kq2Pz',
    'weir webhooks rotate wh_x7Kq2Pz --grace 0',
  ],
  'webhooks delete': ['weir webhooks delete wh_x7Kq2Pz'],
  'subscriptions create': [
    'weir subscriptions create inbox wh_x7Kq2Pz',
    'weir subscriptions create inbox archive --event-name alerts',
    `weir subscriptions create 'dc_*' wh_x7Kq2Pz --event-name '$errors'`,
  ],
  'subscriptions list': ['weir subscriptions list'],
  'subscriptions delete': [
    'weir subscriptions delete sub_x7Kq2Pz',
    'weir subscriptions delete inbox wh_x7Kq2Pz --event-name alerts',
  ],
  deliveries: ['weir deliveries', 'weir deliveries --failed --webhook wh_x7Kq2Pz -n 100'],
  redeliver: [
    'weir redeliver del_41 del_42',
    'weir redeliver --failed --since 2026-11-20T22:00:00Z',
    'weir redeliver --failed --webhook wh_x7Kq2Pz',
  ],
  'db copy': ['weir db copy backup.db', 'weir db copy backup.db --restore --data new-folder/.weir'],
  doctor: ['weir doctor', 'weir doctor --data ~/project/.weir'],
  completion: [
    'weir completion bash > ~/.local/share/bash-completion/completions/weir',
    'weir completion zsh > "${fpath[1]}/_weir"',
    'weir completion fish > ~/.config/fish/completions/weir.fish',
  ],
};
