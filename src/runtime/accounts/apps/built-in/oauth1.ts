/** Apps that connect by OAuth 1.0a. */
import type { WrittenDefinition } from '../schema.ts';

export const oauth1: readonly WrittenDefinition[] = [
  {
    app: 'trello',
    name: 'Trello',
    setup: 'https://trello.com/power-ups/admin',
    sources: ['https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/'],
    note: 'The client id is the API key of your Power-Up, the client secret its API secret. Add the address of the redirect to its allowed origins.',
    methods: [
      {
        type: 'oauth1',
        request_token_url: 'https://trello.com/1/OAuthGetRequestToken',
        authorization_url: 'https://trello.com/1/OAuthAuthorizeToken',
        access_token_url: 'https://trello.com/1/OAuthGetAccessToken',
        hosts: ['api.trello.com'],
        authorization_params: { name: 'Weir', scope: 'read,write,account', expiration: 'never' },
        redirect: { host: 'localhost', port: 18913, path: '/oauth/callback' },
        identity: { url: 'https://api.trello.com/1/members/me', id: '/id', label: '/username' },
      },
    ],
    check: { url: 'https://api.trello.com/1/members/me' },
  },
  {
    app: 'smugmug',
    name: 'SmugMug',
    setup: 'https://api.smugmug.com/api/developer/apply',
    sources: ['https://api.smugmug.com/api/v2/doc/tutorial/authorization.html'],
    methods: [
      {
        type: 'oauth1',
        request_token_url: 'https://api.smugmug.com/services/oauth/1.0a/getRequestToken',
        authorization_url: 'https://api.smugmug.com/services/oauth/1.0a/authorize',
        access_token_url: 'https://api.smugmug.com/services/oauth/1.0a/getAccessToken',
        hosts: ['upload.smugmug.com'],
        authorization_params: { Access: 'Full', Permissions: 'Modify' },
        identity: {
          url: 'https://api.smugmug.com/api/v2!authuser',
          id: '/Response/User/NickName',
          label: '/Response/User/NickName',
        },
      },
    ],
    check: { url: 'https://api.smugmug.com/api/v2!authuser' },
  },
];
