/** Google: one way for all of its apps, which differ in their scopes. */
import type { WrittenDefinition } from '../schema.ts';

const sources = [
  'https://developers.google.com/identity/protocols/oauth2/native-app',
  'https://developers.google.com/identity/protocols/oauth2/scopes',
];

function googleApp(app: string, name: string, scopes: readonly string[]): WrittenDefinition {
  return {
    app,
    name,
    setup: 'https://console.cloud.google.com/apis/credentials',
    sources,
    unverified: true,
    note: 'Make a client of the type "Desktop app". While the consent screen is in testing, Google ends each refresh token after 7 days.',
    methods: [
      {
        type: 'oauth2',
        grants: ['code'],
        issuer: 'https://accounts.google.com',
        authorization_url: 'https://accounts.google.com/o/oauth2/v2/auth',
        token_url: 'https://oauth2.googleapis.com/token',
        revocation_url: 'https://oauth2.googleapis.com/revoke',
        scopes: [
          'openid',
          'email',
          ...scopes.map((scope) => `https://www.googleapis.com/auth/${scope}`),
        ],
        authorization_params: { access_type: 'offline', prompt: 'consent' },
        identity: {
          url: 'https://openidconnect.googleapis.com/v1/userinfo',
          id: '/sub',
          label: '/email',
        },
      },
    ],
    check: { url: 'https://openidconnect.googleapis.com/v1/userinfo' },
  };
}

export const google: readonly WrittenDefinition[] = [
  googleApp('gmail', 'Gmail', ['gmail.modify', 'gmail.settings.basic']),
  googleApp('google_calendar', 'Google Calendar', ['calendar']),
  googleApp('google_contacts', 'Google Contacts', ['contacts']),
  googleApp('google_docs', 'Google Docs', ['documents', 'drive']),
  googleApp('google_drive', 'Google Drive', ['drive']),
  googleApp('google_forms', 'Google Forms', ['forms.body', 'forms.responses.readonly', 'drive']),
  googleApp('google_sheets', 'Google Sheets', ['spreadsheets', 'drive']),
  googleApp('google_slides', 'Google Slides', ['presentations', 'drive']),
  googleApp('google_tasks', 'Google Tasks', ['tasks']),
  googleApp('youtube_data_api', 'YouTube', ['youtube', 'youtube.upload']),
];
