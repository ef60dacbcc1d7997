/** Zoho: one way for all of its apps, which differ in their scopes; each account lives in one of its data centres. */
import type { WrittenDefinition } from '../schema.ts';
import { oauthApp } from './app.ts';

/** Slug, name and scopes. */
type Row = readonly [app: string, name: string, ...scopes: string[]];

const rows: readonly Row[] = [
  ['zoho_analytics', 'Zoho Analytics', 'ZohoAnalytics.fullaccess.all'],
  ['zoho_assist', 'Zoho Assist', 'ZohoAssist.sessionapi.CREATE', 'ZohoAssist.userapi.READ'],
  [
    'zoho_bigin',
    'Zoho Bigin',
    'ZohoBigin.modules.ALL',
    'ZohoBigin.settings.ALL',
    'ZohoBigin.users.READ',
    'ZohoBigin.notifications.ALL',
  ],
  ['zoho_bookings', 'Zoho Bookings', 'zohobookings.data.CREATE'],
  ['zoho_books', 'Zoho Books', 'ZohoBooks.fullaccess.all'],
  [
    'zoho_bugtracker',
    'Zoho BugTracker',
    'BugTracker.portals.ALL',
    'BugTracker.projects.ALL',
    'BugTracker.bugs.ALL',
    'BugTracker.bugattachments.ALL',
    'BugTracker.users.ALL',
    'BugTracker.milestones.READ',
  ],
  ['zoho_calendar', 'Zoho Calendar', 'ZohoCalendar.calendar.ALL', 'ZohoCalendar.event.ALL'],
  ['zoho_campaigns', 'Zoho Campaigns', 'ZohoCampaigns.contact.ALL', 'ZohoCampaigns.campaign.ALL'],
  [
    'zoho_catalyst',
    'Zoho Catalyst',
    'ZohoCatalyst.projects.ALL',
    'ZohoCatalyst.projects.users.ALL',
    'ZohoCatalyst.mlkit.READ',
  ],
  [
    'zoho_cliq',
    'Zoho Cliq',
    'ZohoCliq.Webhooks.CREATE',
    'ZohoCliq.Channels.ALL',
    'ZohoCliq.Chats.ALL',
    'ZohoCliq.Users.READ',
  ],
  ['zoho_commerce', 'Zoho Commerce', 'ZohoCommerce.fullaccess.all'],
  [
    'zoho_creator',
    'Zoho Creator',
    'ZohoCreator.dashboard.READ',
    'ZohoCreator.meta.application.READ',
    'ZohoCreator.meta.form.READ',
    'ZohoCreator.form.CREATE',
    'ZohoCreator.report.ALL',
  ],
  [
    'zoho_crm',
    'Zoho CRM',
    'ZohoCRM.modules.ALL',
    'ZohoCRM.settings.ALL',
    'ZohoCRM.users.ALL',
    'ZohoCRM.org.ALL',
    'ZohoCRM.notifications.ALL',
    'ZohoCRM.coql.READ',
  ],
  [
    'zoho_desk',
    'Zoho Desk',
    'Desk.tickets.ALL',
    'Desk.contacts.ALL',
    'Desk.basic.ALL',
    'Desk.settings.ALL',
    'Desk.search.READ',
    'Desk.events.ALL',
    'Desk.articles.READ',
  ],
  ['zoho_docs', 'Zoho Docs', 'ZohoPC.files.ALL', 'ZohoPC.folders.ALL'],
  ['zoho_expense', 'Zoho Expense', 'ZohoExpense.fullaccess.ALL'],
  ['zoho_forms', 'Zoho Forms', 'ZohoForms.forms.READ'],
  ['zoho_inventory', 'Zoho Inventory', 'ZohoInventory.FullAccess.all'],
  ['zoho_invoice', 'Zoho Invoice', 'ZohoInvoice.fullaccess.all'],
  [
    'zoho_mail',
    'Zoho Mail',
    'ZohoMail.accounts.READ',
    'ZohoMail.messages.ALL',
    'ZohoMail.folders.ALL',
    'ZohoMail.tasks.ALL',
  ],
  ['zoho_meeting', 'Zoho Meeting', 'ZohoMeeting.meeting.ALL', 'ZohoMeeting.webinar.ALL'],
  ['zoho_notebook', 'Zoho Notebook', 'ZohoPC.files.ALL'],
  ['zoho_people', 'Zoho People', 'ZOHOPEOPLE.forms.ALL', 'ZOHOPEOPLE.employee.ALL'],
  [
    'zoho_projects',
    'Zoho Projects',
    'ZohoProjects.portals.READ',
    'ZohoProjects.projects.ALL',
    'ZohoProjects.tasklists.ALL',
    'ZohoProjects.tasks.ALL',
    'ZohoProjects.bugs.ALL',
    'ZohoProjects.milestones.ALL',
    'ZohoProjects.users.READ',
    'ZohoProjects.documents.ALL',
  ],
  ['zoho_recruit', 'Zoho Recruit', 'ZohoRecruit.modules.ALL', 'ZohoRecruit.settings.ALL'],
  [
    'zoho_salesiq',
    'Zoho SalesIQ',
    'SalesIQ.webhooks.ALL',
    'SalesIQ.portals.READ',
    'SalesIQ.conversations.ALL',
  ],
  ['zoho_sheet', 'Zoho Sheet', 'ZohoSheet.dataAPI.READ', 'ZohoSheet.dataAPI.UPDATE'],
  ['zoho_sign', 'Zoho Sign', 'ZohoSign.documents.ALL', 'ZohoSign.templates.ALL'],
  [
    'zoho_sprints',
    'Zoho Sprints',
    'ZohoSprints.teams.READ',
    'ZohoSprints.projects.ALL',
    'ZohoSprints.sprints.ALL',
    'ZohoSprints.items.ALL',
    'ZohoSprints.teamusers.READ',
  ],
  ['zoho_subscriptions', 'Zoho Billing', 'ZohoSubscriptions.fullaccess.all'],
  ['zoho_survey', 'Zoho Survey', 'ZohoSurvey.survey.READ', 'ZohoSurvey.response.READ'],
  ['zoho_tables', 'Zoho Tables', 'ZohoTables.base.ALL', 'ZohoTables.records.ALL'],
  [
    'zoho_workdrive',
    'Zoho WorkDrive',
    'WorkDrive.team.READ',
    'WorkDrive.teamfolders.ALL',
    'WorkDrive.files.ALL',
    'ZohoFiles.files.ALL',
  ],
];

/** Whose scopes were compared with this page; of the others only the way to connect was. */
const scopePages: Readonly<Record<string, string>> = {
  zoho_crm: 'https://www.zoho.com/crm/developer/docs/api/v8/scopes.html',
};

/** Host names of apps whose components do not use `<app>.<domain>`. */
const ownHosts: Readonly<Record<string, string>> = { zoho_sign: 'sign' };

export const zoho: readonly WrittenDefinition[] = rows.map(([app, name, ...scopes]) => {
  const host = ownHosts[app];
  const scopePage = scopePages[app];
  return oauthApp({
    app,
    name,
    setup: 'https://api-console.zoho.com/',
    sources: [
      'https://www.zoho.com/accounts/protocol/oauth/web-apps/authorization.html',
      'https://www.zoho.com/accounts/protocol/oauth/web-apps/access-token.html',
      'https://www.zoho.com/accounts/protocol/oauth/multi-dc.html',
      'https://www.zoho.com/accounts/protocol/oauth/web-apps/access-token-expiry.html',
      'https://www.zoho.com/accounts/protocol/oauth/revoke-refresh-token.html',
      ...(scopePage === undefined ? [] : [scopePage]),
    ],
    verified: scopePage !== undefined,
    note: 'Make a "Server-based Application" in the data center where the account lives, or switch that data center on in its settings.',
    authorization_url: 'https://accounts.{domain}/oauth/v2/auth',
    token_url: 'https://accounts.{domain}/oauth/v2/token',
    revocation_url: 'https://accounts.{domain}/oauth/v2/token/revoke',
    scopes: ['AaaServer.profile.READ', ...scopes],
    scope_separator: ',',
    authorization_params: { access_type: 'offline', prompt: 'consent' },
    fields: [
      {
        name: 'domain',
        label: 'Domain of your data center',
        description:
          'zoho.com, zoho.eu, zoho.in, zoho.com.au, zoho.jp, zoho.sa, zoho.uk, zoho.com.cn or zohocloud.ca',
        default: 'zoho.com',
        pattern: 'zoho\\.(com|eu|in|com\\.au|jp|sa|uk|com\\.cn)|zohocloud\\.ca',
      },
    ],
    response: { error_in_200: true },
    keep: { token: ['api_domain'] },
    identity: {
      url: 'https://accounts.{domain}/oauth/user/info',
      id: '/ZUID',
      label: '/Email',
      value: 'Zoho-oauthtoken {access_token}',
    },
    auth: {
      base_api_uri: host === undefined ? '{domain}' : `${host}.{domain}`,
      base_api_url: '{domain}',
    },
  });
});
