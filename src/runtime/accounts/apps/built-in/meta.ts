/** Meta: one way for all of its apps, which differ in their permissions. */
import type { WrittenDefinition } from '../schema.ts';
import { oauthApp } from './app.ts';

/** Slug, name and permissions. */
type Row = readonly [app: string, name: string, ...scopes: string[]];

const pages = [
  'pages_show_list',
  'pages_read_engagement',
  'pages_read_user_content',
  'pages_manage_posts',
  'pages_manage_engagement',
  'pages_manage_metadata',
];

const rows: readonly Row[] = [
  ['facebook_conversions', 'Facebook Conversions', 'ads_management', 'business_management'],
  ['facebook_graph_api', 'Facebook Graph API', ...pages, 'read_insights'],
  ['facebook_groups', 'Facebook Groups', 'publish_to_groups', 'groups_access_member_info'],
  [
    'facebook_lead_ads',
    'Facebook Lead Ads',
    'leads_retrieval',
    'ads_management',
    ...pages,
    'pages_manage_ads',
  ],
  [
    'facebook_marketing',
    'Facebook Marketing',
    'ads_management',
    'ads_read',
    'business_management',
    'pages_show_list',
  ],
  ['facebook_pages', 'Facebook Pages', ...pages],
  [
    'instagram_business',
    'Instagram for Business',
    'instagram_basic',
    'instagram_content_publish',
    'instagram_manage_comments',
    'instagram_manage_insights',
    'pages_show_list',
    'pages_read_engagement',
    'business_management',
  ],
];

export const meta: readonly WrittenDefinition[] = rows.map(([app, name, ...scopes]) =>
  oauthApp({
    app,
    name,
    setup: 'https://developers.facebook.com/apps/',
    sources: [
      'https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow/',
      'https://developers.facebook.com/docs/permissions/',
    ],
    note: 'While the app is in development mode, Facebook takes addresses of localhost without their being registered. Nothing renews its tokens, which live for an hour or two: Weir does not exchange them for those of 60 days.',
    authorization_url: 'https://www.facebook.com/v23.0/dialog/oauth',
    token_url: 'https://graph.facebook.com/v23.0/oauth/access_token',
    scopes: ['public_profile', 'email', ...scopes],
    scope_separator: ',',
    identity: {
      url: 'https://graph.facebook.com/v23.0/me?fields=id,name',
      id: '/id',
      label: '/name',
    },
    check: 'https://graph.facebook.com/v23.0/me',
  }),
);
