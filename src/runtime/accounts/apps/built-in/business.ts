/** Apps that business is done with: customers, money, shops, contracts. */
import type { WrittenDefinition } from '../schema.ts';
import { type AppRow, oauthApp } from './app.ts';

/** QuickBooks names the company in the address it comes back to. */
const quickbooks = {
  setup: 'https://developer.intuit.com/app/developer/dashboard',
  sources: [
    'https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0',
    'https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/faq',
    'https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/set-redirect-uri',
  ],
  verified: true,
  authorization_url: 'https://appcenter.intuit.com/connect/oauth2',
  token_url: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
  revocation_url: 'https://developer.api.intuit.com/v2/oauth2/tokens/revoke',
  scopes: ['com.intuit.quickbooks.accounting'],
  client_auth: 'basic',
  keep: { callback: ['realmId'] },
  auth: { company_id: '{callback.realmId}' },
} as const satisfies Partial<AppRow>;

const procore = (login: string, api: string) =>
  ({
    setup: 'https://developers.procore.com/',
    sources: ['https://developers.procore.com/documentation/oauth-endpoints'],
    verified: true,
    authorization_url: `https://${login}/oauth/authorize`,
    token_url: `https://${login}/oauth/token`,
    revocation_url: `https://${login}/oauth/revoke`,
    // It has none: a token may do what its person may.
    scopes: [],
    identity: { url: `https://${api}/rest/v1.0/me`, id: '/id', label: '/login' },
  }) as const satisfies Partial<AppRow>;

/** Clio Manage: each region is a server of its own. */
const clio = (host: string) =>
  ({
    setup: `https://${host}/settings/developer_applications`,
    sources: [
      'https://docs.developers.clio.com/api-docs/authorization',
      'https://docs.developers.clio.com/faq/',
    ],
    verified: true,
    note: 'What a token may do is chosen at the app.',
    authorization_url: `https://${host}/oauth/authorize`,
    token_url: `https://${host}/oauth/token`,
    scopes: [],
    identity: {
      url: `https://${host}/api/v4/users/who_am_i`,
      id: '/data/id',
      label: '/data/name',
    },
  }) as const satisfies Partial<AppRow>;

/** Ramp: a client of the business itself needs nobody to sign in. */
const ramp = (site: string, api: string) =>
  ({
    setup: `https://${site}/developer`,
    sources: ['https://docs.ramp.com/developer-api/v1/authorization'],
    grants: ['code', 'client_credentials'],
    authorization_url: `https://${site}/v1/authorize`,
    token_url: `https://${api}/developer/v1/token`,
    scopes: [
      'business:read',
      'cards:read',
      'cards:write',
      'departments:read',
      'limits:read',
      'limits:write',
      'locations:read',
      'receipts:read',
      'receipts:write',
      'spend_programs:read',
      'transactions:read',
      'transfers:read',
      'users:read',
      'users:write',
    ],
    client_auth: 'basic',
    identity: {
      url: `https://${api}/developer/v1/business`,
      id: '/id',
      label: '/business_name_legal',
    },
  }) as const satisfies Partial<AppRow>;

const rows: readonly AppRow[] = [
  {
    app: 'hubspot',
    name: 'HubSpot',
    setup: 'https://developers.hubspot.com/',
    sources: [
      'https://developers.hubspot.com/docs/api-reference/latest/authentication/manage-oauth-tokens',
      'https://developers.hubspot.com/docs/api-reference/latest/authentication/oauth-tokens/revoke-token',
      'https://developers.hubspot.com/docs/api-reference/legacy/authentication/oauth-tokens/v1/migration-guide',
      'https://developers.hubspot.com/changelog/2018-03-05-oauth2-redirect-uri-served-over-http-localhost',
    ],
    verified: true,
    note: 'The scopes have to be those of the app: enter others with the connection when its settings differ.',
    authorization_url: 'https://app.hubspot.com/oauth/authorize',
    // The addresses without a date end on 16 February 2027.
    token_url: 'https://api.hubapi.com/oauth/2026-03/token',
    revocation_url: 'https://api.hubapi.com/oauth/2026-03/token/revoke',
    scopes: [
      'oauth',
      'crm.objects.contacts.read',
      'crm.objects.contacts.write',
      'crm.objects.companies.read',
      'crm.objects.companies.write',
      'crm.objects.deals.read',
      'crm.objects.deals.write',
      'crm.objects.owners.read',
      'crm.schemas.contacts.read',
      'crm.schemas.companies.read',
      'crm.schemas.deals.read',
      'crm.lists.read',
      'crm.lists.write',
      'tickets',
      'forms',
      'files',
    ],
    identity: { url: 'https://api.hubapi.com/account-info/v3/details', id: '/portalId' },
    check: 'https://api.hubapi.com/account-info/v3/details',
    personal: {
      name: 'Private app token',
      where: "the account's settings, Integrations, Private Apps",
    },
  },
  {
    ...quickbooks,
    app: 'quickbooks',
    name: 'QuickBooks',
    note: 'With production keys, Intuit takes no address of this machine: register an https address of yours, connect with --redirect-uri and that address, and paste the one that the browser ends at.',
  },
  {
    ...quickbooks,
    app: 'quickbooks_sandbox',
    name: 'QuickBooks Sandbox',
    note: 'Enter the client id and secret that Intuit shows for development.',
  },
  {
    app: 'salesforce_rest_api',
    name: 'Salesforce',
    setup: 'https://login.salesforce.com/',
    sources: [
      'https://help.salesforce.com/s/articleView?id=sf.remoteaccess_oauth_web_server_flow.htm',
      'https://help.salesforce.com/s/articleView?id=sf.remoteaccess_oauth_refresh_token_flow.htm',
    ],
    verified: true,
    note: 'A sandbox signs in at test.salesforce.com.',
    authorization_url: 'https://{login_host}/services/oauth2/authorize',
    token_url: 'https://{login_host}/services/oauth2/token',
    revocation_url: 'https://{login_host}/services/oauth2/revoke',
    scopes: ['api', 'refresh_token'],
    pkce: true,
    fields: [
      {
        name: 'login_host',
        label: 'Host to sign in at',
        description: 'login.salesforce.com, test.salesforce.com, or that of your domain',
        default: 'login.salesforce.com',
        pattern: '[a-z0-9.-]+\\.salesforce\\.com',
      },
    ],
    // It does not say how long its tokens live: two hours unless the organization says otherwise.
    response: { default_expires_in: 7200 },
    keep: { token: ['instance_url'] },
    identity: {
      url: 'https://{login_host}/services/oauth2/userinfo',
      id: '/user_id',
      label: '/email',
    },
  },
  {
    app: 'xero_accounting_api',
    name: 'Xero',
    setup: 'https://developer.xero.com/app/manage',
    sources: [
      'https://developer.xero.com/documentation/guides/oauth2/auth-flow/',
      'https://developer.xero.com/documentation/guides/oauth2/scopes/',
      'https://developer.xero.com/faq/granular-scopes',
    ],
    verified: true,
    note: 'The scopes are those of apps made since 2 March 2026; older ones may take them, too.',
    authorization_url: 'https://login.xero.com/identity/connect/authorize',
    token_url: 'https://identity.xero.com/connect/token',
    revocation_url: 'https://identity.xero.com/connect/revocation',
    scopes: [
      'offline_access',
      'accounting.invoices',
      'accounting.payments',
      'accounting.banktransactions',
      'accounting.manualjournals',
      'accounting.contacts',
      'accounting.settings',
      'accounting.attachments',
      'accounting.reports.aged.read',
      'accounting.reports.balancesheet.read',
      'accounting.reports.profitandloss.read',
      'accounting.reports.trialbalance.read',
    ],
    client_auth: 'basic',
    identity: {
      url: 'https://api.xero.com/connections',
      id: '/0/tenantId',
      label: '/0/tenantName',
    },
    check: 'https://api.xero.com/connections',
  },
  {
    app: 'mailchimp',
    name: 'Mailchimp',
    setup: 'https://admin.mailchimp.com/account/oauth2/',
    sources: ['https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/'],
    authorization_url: 'https://login.mailchimp.com/oauth2/authorize',
    token_url: 'https://login.mailchimp.com/oauth2/token',
    // It has none: a token may do what its person may.
    scopes: [],
    redirect: { host: '127.0.0.1', port: 18913, path: '/oauth/callback' },
    // Its tokens do not run out: it says 0.
    response: { loose: true, token_type: true },
    identity: {
      url: 'https://login.mailchimp.com/oauth2/metadata',
      id: '/user_id',
      label: '/login/email',
      value: 'OAuth {access_token}',
      keep: { dc: '/dc' },
    },
    personal: {
      name: 'API key',
      where: 'https://admin.mailchimp.com/account/api/',
      fields: [
        {
          name: 'dc',
          label: 'Data center',
          description: 'What follows the dash in the key, such as us6',
        },
      ],
    },
  },
  {
    app: 'shopify',
    name: 'Shopify',
    setup: 'https://partners.shopify.com/',
    sources: [
      'https://shopify.dev/docs/apps/build/authentication-authorization/authenticate-standalone-apps',
      'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/offline-access-tokens',
    ],
    verified: true,
    authorization_url: 'https://{shop_id}.myshopify.com/admin/oauth/authorize',
    token_url: 'https://{shop_id}.myshopify.com/admin/oauth/access_token',
    scopes: [
      'read_products',
      'write_products',
      'read_orders',
      'write_orders',
      'read_customers',
      'write_customers',
      'read_inventory',
      'write_inventory',
      'read_content',
      'write_content',
    ],
    scope_separator: ',',
    // A token that expires and has a refresh token: from 2027 on, public apps get no answers with tokens that do not
    // expire.
    token_params: { expiring: '1' },
    fields: [
      {
        name: 'shop_id',
        label: 'Shop',
        description: 'What stands before .myshopify.com in its address',
        pattern: '[a-z0-9][a-z0-9-]*',
      },
    ],
    response: { token_type: true },
    identity: {
      url: 'https://{shop_id}.myshopify.com/admin/api/2025-07/shop.json',
      id: '/shop/id',
      label: '/shop/name',
      header: 'x-shopify-access-token',
      value: '{access_token}',
    },
  },
  {
    app: 'pipedrive',
    name: 'Pipedrive',
    setup: 'https://app.pipedrive.com/developer-hub',
    sources: [
      'https://pipedrive.readme.io/docs/marketplace-oauth-authorization',
      'https://github.com/pipedrive/client-nodejs',
    ],
    verified: true,
    authorization_url: 'https://oauth.pipedrive.com/oauth/authorize',
    token_url: 'https://oauth.pipedrive.com/oauth/token',
    revocation_url: 'https://oauth.pipedrive.com/oauth/revoke',
    // The scopes of the app, chosen in the developer hub.
    scopes: [],
    client_auth: 'basic',
    keep: { token: ['api_domain'] },
    identity: {
      url: 'https://api.pipedrive.com/v1/users/me',
      id: '/data/id',
      label: '/data/email',
    },
  },
  { ...procore('login.procore.com', 'api.procore.com'), app: 'procore', name: 'Procore' },
  {
    ...procore('login-sandbox.procore.com', 'sandbox.procore.com'),
    app: 'procore_sandbox',
    name: 'Procore Sandbox',
  },
  { ...clio('app.clio.com'), app: 'clio', name: 'Clio' },
  { ...clio('eu.app.clio.com'), app: 'clio_eu', name: 'Clio (EU)' },
  { ...clio('ca.app.clio.com'), app: 'clio_canada', name: 'Clio (Canada)' },
  { ...clio('au.app.clio.com'), app: 'clio_australia', name: 'Clio (Australia)' },
  { ...ramp('app.ramp.com', 'api.ramp.com'), app: 'ramp', name: 'Ramp' },
  { ...ramp('demo.ramp.com', 'demo-api.ramp.com'), app: 'ramp_sandbox', name: 'Ramp Sandbox' },
  {
    app: 'docusign',
    name: 'DocuSign',
    setup: 'https://apps.docusign.com/send/admin/integrator-keys',
    sources: [
      'https://developers.docusign.com/platform/auth/authcode/authcode-get-token/',
      'https://github.com/docusign/docusign-esign-node-client',
    ],
    verified: true,
    note: 'A client that has not been promoted signs in at account-d.docusign.com.',
    authorization_url: 'https://{account_host}/oauth/auth',
    token_url: 'https://{account_host}/oauth/token',
    scopes: ['signature', 'extended'],
    client_auth: 'basic',
    pkce: true,
    fields: [
      {
        name: 'account_host',
        label: 'Host to sign in at',
        description: 'account.docusign.com, or account-d.docusign.com for developers',
        default: 'account.docusign.com',
        pattern: 'account(-d)?\\.docusign\\.com',
      },
    ],
    identity: { url: 'https://{account_host}/oauth/userinfo', id: '/sub', label: '/email' },
  },
];

export const business: readonly WrittenDefinition[] = rows.map(oauthApp);
