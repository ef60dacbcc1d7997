/** Google: one way for all of its apps, which differ in their scopes. */
import type { WrittenDefinition } from '../schema.ts';
import { oauthApp } from './app.ts';

/** Slug, name, and the part after `https://www.googleapis.com/auth/` in its scopes. */
type Row = readonly [app: string, name: string, ...scopes: string[]];

const rows: readonly Row[] = [
  ['gmail', 'Gmail', 'gmail.modify', 'gmail.settings.basic'],
  ['gmail_custom_oauth', 'Gmail (own client)', 'gmail.modify', 'gmail.settings.basic'],
  ['google_ad_manager', 'Google Ad Manager', 'admanager'],
  ['google_ads', 'Google Ads', 'adwords'],
  ['google_analytics', 'Google Analytics', 'analytics', 'analytics.edit', 'analytics.readonly'],
  ['google_calendar', 'Google Calendar', 'calendar'],
  ['google_chat', 'Google Chat', 'chat.messages', 'chat.spaces', 'chat.memberships.readonly'],
  [
    'google_chat_developer_app',
    'Google Chat (own app)',
    'chat.messages',
    'chat.spaces',
    'chat.memberships',
  ],
  [
    'google_classroom',
    'Google Classroom',
    'classroom.courses',
    'classroom.rosters',
    'classroom.coursework.students',
    'classroom.coursework.me',
    'classroom.profile.emails',
    'classroom.announcements',
    'classroom.topics',
  ],
  ['google_cloud_translate', 'Google Cloud Translate', 'cloud-translation'],
  ['google_cloud_vision_api', 'Google Cloud Vision', 'cloud-vision', 'cloud-platform'],
  ['google_contacts', 'Google Contacts', 'contacts', 'contacts.other.readonly'],
  [
    'google_directory',
    'Google Directory',
    'admin.directory.user',
    'admin.directory.group',
    'admin.directory.group.member',
  ],
  ['google_docs', 'Google Docs', 'documents', 'drive'],
  ['google_drive', 'Google Drive', 'drive'],
  [
    'google_fit_developer_app',
    'Google Fit (own app)',
    'fitness.activity.read',
    'fitness.body.read',
    'fitness.sleep.read',
  ],
  ['google_forms', 'Google Forms', 'forms.body', 'forms.responses.readonly', 'drive'],
  ['google_meet', 'Google Meet', 'calendar', 'meetings.space.created'],
  ['google_merchant_center', 'Google Merchant Center', 'content'],
  ['google_my_business', 'Google Business Profile', 'business.manage'],
  [
    'google_photos',
    'Google Photos',
    'photoslibrary.appendonly',
    'photoslibrary.readonly.appcreateddata',
    'photoslibrary.edit.appcreateddata',
  ],
  ['google_play', 'Google Play', 'androidpublisher'],
  ['google_postmaster_tools_api', 'Google Postmaster Tools', 'postmaster.readonly'],
  ['google_search_console', 'Google Search Console', 'webmasters', 'indexing'],
  ['google_sheets', 'Google Sheets', 'spreadsheets', 'drive'],
  ['google_slides', 'Google Slides', 'presentations', 'drive'],
  [
    'google_tag_manager',
    'Google Tag Manager',
    'tagmanager.readonly',
    'tagmanager.edit.containers',
    'tagmanager.edit.containerversions',
    'tagmanager.publish',
    'tagmanager.manage.accounts',
  ],
  ['google_tasks', 'Google Tasks', 'tasks'],
  ['google_vertex_ai', 'Google Vertex AI', 'cloud-platform'],
  [
    'google_workspace',
    'Google Workspace',
    'admin.directory.user',
    'admin.directory.group',
    'admin.directory.orgunit',
    'admin.directory.customer.readonly',
    'admin.reports.audit.readonly',
  ],
  [
    'youtube_analytics_api',
    'YouTube Analytics',
    'yt-analytics.readonly',
    'yt-analytics-monetary.readonly',
    'youtube',
  ],
  [
    'youtube_analytics_api_custom_app',
    'YouTube Analytics (own app)',
    'yt-analytics.readonly',
    'yt-analytics-monetary.readonly',
    'youtube',
  ],
  ['youtube_data_api', 'YouTube', 'youtube', 'youtube.upload', 'youtube.force-ssl'],
  [
    'youtube_data_api_custom_app',
    'YouTube (own app)',
    'youtube',
    'youtube.upload',
    'youtube.force-ssl',
  ],
];

/** Whose scopes are in none of the descriptions that Google publishes of its APIs. */
const unread = new Set(['google_ad_manager', 'google_my_business', 'google_photos']);

const userInfo = 'https://openidconnect.googleapis.com/v1/userinfo';

export const google: readonly WrittenDefinition[] = rows.map(([app, name, ...scopes]) =>
  oauthApp({
    app,
    name,
    setup: 'https://console.cloud.google.com/apis/credentials',
    sources: [
      'https://developers.google.com/identity/protocols/oauth2/native-app',
      'https://developers.google.com/identity/protocols/oauth2/scopes',
      'https://developers.google.com/discovery/v1/reference/apis/list',
    ],
    verified: !unread.has(app),
    note: 'Make a client of the type "Desktop app". While the consent screen is in testing, Google ends each refresh token after 7 days.',
    issuer: 'https://accounts.google.com',
    authorization_url: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_url: 'https://oauth2.googleapis.com/token',
    revocation_url: 'https://oauth2.googleapis.com/revoke',
    scopes: [
      'openid',
      'email',
      ...scopes.map((scope) => `https://www.googleapis.com/auth/${scope}`),
    ],
    pkce: true,
    redirect: {},
    authorization_params: { access_type: 'offline', prompt: 'consent' },
    identity: { url: userInfo, id: '/sub', label: '/email' },
    check: userInfo,
  }),
);
