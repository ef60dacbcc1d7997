/** Microsoft: one way for all of its apps, which differ in their scopes. */
import type { WrittenDefinition } from '../schema.ts';
import { type AppRow, oauthApp } from './app.ts';

/** Slug, name and its permissions of Microsoft Graph. */
type Row = readonly [app: string, name: string, ...scopes: string[]];

const rows: readonly Row[] = [
  [
    'microsoft_365',
    'Microsoft 365',
    'Files.ReadWrite.All',
    'Mail.ReadWrite',
    'Calendars.ReadWrite',
    'Contacts.ReadWrite',
  ],
  ['microsoft_365_people', 'Microsoft 365 People', 'Contacts.ReadWrite'],
  [
    'microsoft_365_planner',
    'Microsoft 365 Planner',
    'Tasks.ReadWrite',
    'Group.ReadWrite.All',
    'User.ReadBasic.All',
  ],
  [
    'microsoft_entra_id',
    'Microsoft Entra ID',
    'User.ReadWrite.All',
    'Group.ReadWrite.All',
    'Directory.Read.All',
  ],
  ['microsoft_excel', 'Microsoft Excel', 'Files.ReadWrite.All'],
  ['microsoft_graph_api', 'Microsoft Graph', 'Mail.ReadWrite', 'Files.ReadWrite.All'],
  ['microsoft_onedrive', 'Microsoft OneDrive', 'Files.ReadWrite.All', 'Sites.Read.All'],
  [
    'microsoft_outlook',
    'Microsoft Outlook',
    'Mail.ReadWrite',
    'Mail.Send',
    'Contacts.ReadWrite',
    'MailboxSettings.ReadWrite',
  ],
  ['microsoft_outlook_calendar', 'Microsoft Outlook Calendar', 'Calendars.ReadWrite'],
  [
    'microsoft_teams',
    'Microsoft Teams',
    'Team.ReadBasic.All',
    'Channel.ReadBasic.All',
    'Channel.Create',
    'ChannelMessage.Read.All',
    'ChannelMessage.Send',
    'Chat.ReadWrite',
    'TeamMember.Read.All',
    'Schedule.ReadWrite.All',
  ],
  [
    'microsoft_teams_admin',
    'Microsoft Teams (administrator)',
    'Team.ReadBasic.All',
    'Channel.ReadBasic.All',
    'ChannelMember.ReadWrite.All',
    'TeamMember.ReadWrite.All',
    'User.Read.All',
  ],
  ['microsofttodo', 'Microsoft To Do', 'Tasks.ReadWrite'],
  ['sharepoint', 'SharePoint', 'Sites.ReadWrite.All', 'Files.ReadWrite.All'],
  ['sharepoint_admin', 'SharePoint (administrator)', 'Sites.FullControl.All'],
];

const graph = 'https://graph.microsoft.com/v1.0/me';

/**
 * @param scopes of one resource only: a token of Microsoft is for one
 * @param own what only this app has
 */
function microsoftApp(
  app: string,
  name: string,
  scopes: readonly string[],
  own: Partial<AppRow> = {},
): WrittenDefinition {
  const authority = 'https://login.microsoftonline.com/common/oauth2/v2.0';
  const isGraph = scopes.every((scope) => !scope.startsWith('https://'));
  return oauthApp({
    app,
    name,
    setup: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps',
    sources: [
      'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
      'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-device-code',
      'https://learn.microsoft.com/en-us/entra/identity-platform/reply-url',
      'https://learn.microsoft.com/en-us/graph/permissions-reference',
    ],
    note: 'Register the redirect URI for "Mobile and desktop applications" and enter the client as public, without a secret; Microsoft lets its port differ.',
    grants: ['code', 'device'],
    authorization_url: `${authority}/authorize`,
    token_url: `${authority}/token`,
    device_url: `${authority}/devicecode`,
    scopes: ['offline_access', ...(isGraph ? ['User.Read'] : []), ...scopes],
    pkce: true,
    redirect: { host: 'localhost', path: '/oauth/callback' },
    ...(isGraph && {
      identity: { url: graph, id: '/id', label: '/userPrincipalName' },
      check: graph,
    }),
    ...own,
  });
}

export const microsoft: readonly WrittenDefinition[] = [
  ...rows.map(([app, name, ...scopes]) => microsoftApp(app, name, scopes)),
  microsoftApp('microsoft_power_bi', 'Microsoft Power BI', [
    'https://analysis.windows.net/powerbi/api/Dataset.ReadWrite.All',
    'https://analysis.windows.net/powerbi/api/Report.ReadWrite.All',
    'https://analysis.windows.net/powerbi/api/Workspace.ReadWrite.All',
  ]),
  microsoftApp(
    'microsoft_dynamics_365_sales',
    'Microsoft Dynamics 365 Sales',
    ['https://{api_url}/user_impersonation'],
    {
      sources: [
        'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
        'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-device-code',
        'https://learn.microsoft.com/en-us/power-apps/developer/data-platform/authenticate-oauth',
      ],
      verified: true,
      fields: [
        {
          name: 'api_url',
          label: 'Host of the organization',
          description: 'Such as contoso.crm.dynamics.com',
          pattern: '[a-z0-9.-]+\\.dynamics\\.com',
        },
      ],
      identity: { url: 'https://{api_url}/api/data/v9.2/WhoAmI', id: '/UserId' },
    },
  ),
];
