/** Apps that take keys: what an account of each is asked for, by the names that components read as `$auth`. */
import type { WrittenDefinition } from '../schema.ts';
import type { WrittenKeys } from './app.ts';

type Field = WrittenKeys['fields'][number];

interface KeyRow {
  readonly app: string;
  readonly name: string;
  /** The vendor's documentation. */
  readonly source: string;
  readonly fields: readonly Field[];
}

const secret = (name: string, label: string, description?: string): Field => ({
  name,
  label,
  secret: true,
  ...(description !== undefined && { description }),
});

const apiKey = (description?: string): Field => secret('api_key', 'API key', description);

const rows: readonly KeyRow[] = [
  {
    app: 'stripe',
    name: 'Stripe',
    source: 'https://docs.stripe.com/keys',
    fields: [apiKey('A secret or restricted key; it begins with sk_ or rk_')],
  },
  {
    app: 'openai',
    name: 'OpenAI',
    source: 'https://platform.openai.com/docs/api-reference/authentication',
    fields: [
      apiKey('It begins with sk-'),
      {
        name: 'organization_id',
        label: 'Organization id',
        description: 'Of a person who belongs to several',
        optional: true,
      },
    ],
  },
  {
    app: 'shopify_developer_app',
    name: 'Shopify (developer app)',
    source:
      'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/generate-app-access-tokens-admin',
    fields: [
      {
        name: 'shop_id',
        label: 'Name of the shop',
        description: 'What stands before .myshopify.com',
      },
      secret('access_token', 'Admin API access token', 'It begins with shpat_'),
    ],
  },
  {
    app: 'dataforseo',
    name: 'DataForSEO',
    source: 'https://docs.dataforseo.com/v3/auth/',
    fields: [
      { name: 'api_login', label: 'API login' },
      secret('api_password', 'API password', 'Not that of the account'),
    ],
  },
  {
    app: 'bitget',
    name: 'Bitget',
    source: 'https://www.bitget.com/api-doc/common/quick-start',
    fields: [
      apiKey(),
      secret('secret_key', 'Secret key'),
      secret('secret_passphrase', 'Passphrase'),
    ],
  },
  {
    app: 'activecampaign',
    name: 'ActiveCampaign',
    source: 'https://developers.activecampaign.com/reference/authentication',
    fields: [
      {
        name: 'base_url',
        label: 'API URL',
        description: 'Such as https://my-account.api-us1.com, from Settings, Developer',
      },
      apiKey(),
    ],
  },
  {
    app: 'aws',
    name: 'AWS',
    source: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
    fields: [
      secret('accessKeyId', 'Access key id', 'It begins with AKIA'),
      secret('secretAccessKey', 'Secret access key'),
    ],
  },
  {
    app: 'freshdesk',
    name: 'Freshdesk',
    source: 'https://developers.freshdesk.com/api/#authentication',
    fields: [
      { name: 'domain', label: 'Domain', description: 'Such as my-company.freshdesk.com' },
      apiKey('From Profile settings'),
    ],
  },
  {
    app: 'bybit',
    name: 'Bybit',
    source: 'https://bybit-exchange.github.io/docs/v5/guide',
    fields: [apiKey(), secret('secret_key', 'API secret')],
  },
  {
    app: 'planview_leankit',
    name: 'Planview LeanKit',
    source: 'https://success.planview.com/Planview_AgilePlace/AgilePlace_API',
    fields: [
      { name: 'domain', label: 'Domain', description: 'What stands before .leankit.com' },
      { name: 'username', label: 'User' },
      secret('password', 'Password'),
    ],
  },
  {
    app: 'telegram_bot_api',
    name: 'Telegram bot',
    source: 'https://core.telegram.org/bots/api#authorizing-your-bot',
    fields: [secret('token', 'Bot token', 'From @BotFather, such as 123456:ABC-DEF1234')],
  },
  {
    app: 'postmark',
    name: 'Postmark',
    source: 'https://postmarkapp.com/developer/api/overview',
    fields: [
      { ...secret('api_key', 'Account API token'), optional: true },
      secret('server_api_key', 'Server API token'),
    ],
  },
  {
    app: 'sendcloud',
    name: 'Sendcloud',
    source: 'https://api.sendcloud.dev/docs/sendcloud-public-api/authentication',
    fields: [secret('public_key', 'Public key'), secret('secret_key', 'Secret key')],
  },
  {
    app: 'linear_app',
    name: 'Linear (API key)',
    source: 'https://linear.app/developers/graphql',
    fields: [apiKey('A personal one, from Settings, Security & access')],
  },
  {
    app: 'discord_bot',
    name: 'Discord bot',
    source: 'https://discord.com/developers/docs/reference#authentication',
    fields: [secret('bot_token', 'Bot token', 'From the Developer Portal, your app, Bot')],
  },
];

/** None of them was compared with the vendor's documentation, but for the names of keys, which are those of components. */
export const keyApps: readonly WrittenDefinition[] = rows.map(({ app, name, source, fields }) => ({
  app,
  name,
  sources: [source],
  unverified: true,
  methods: [{ type: 'keys', fields: [...fields] }],
}));
