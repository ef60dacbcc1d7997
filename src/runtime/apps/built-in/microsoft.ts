/** Microsoft: one way for all of its apps, which differ in their scopes. */
import type { WrittenDefinition } from '../schema.ts';

const authority = 'https://login.microsoftonline.com/common/oauth2/v2.0';

function microsoftApp(app: string, name: string, scopes: readonly string[]): WrittenDefinition {
  return {
    app,
    name,
    setup: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps',
    sources: [
      'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
      'https://learn.microsoft.com/en-us/graph/permissions-reference',
    ],
    unverified: true,
    note: 'Register the redirect URI for "Mobile and desktop applications" and enter the client as public, without a secret; Microsoft lets its port differ.',
    methods: [
      {
        type: 'oauth2',
        grants: ['code', 'device'],
        authorization_url: `${authority}/authorize`,
        token_url: `${authority}/token`,
        device_url: `${authority}/devicecode`,
        scopes: ['offline_access', 'User.Read', ...scopes],
        redirect: { host: 'localhost', path: '/oauth/callback' },
        identity: {
          url: 'https://graph.microsoft.com/v1.0/me',
          id: '/id',
          label: '/userPrincipalName',
        },
      },
    ],
    check: { url: 'https://graph.microsoft.com/v1.0/me' },
  };
}

export const microsoft: readonly WrittenDefinition[] = [
  microsoftApp('microsoft_excel', 'Microsoft Excel', ['Files.ReadWrite.All']),
  microsoftApp('microsoft_onedrive', 'Microsoft OneDrive', ['Files.ReadWrite.All']),
  microsoftApp('microsoft_outlook', 'Microsoft Outlook', [
    'Mail.ReadWrite',
    'Mail.Send',
    'Contacts.ReadWrite',
  ]),
  microsoftApp('microsoft_outlook_calendar', 'Microsoft Outlook Calendar', ['Calendars.ReadWrite']),
  microsoftApp('microsoft_todo', 'Microsoft To Do', ['Tasks.ReadWrite']),
];
