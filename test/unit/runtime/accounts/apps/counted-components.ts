/**
 * How many of the platform's public components connect by OAuth, by app. Only what was counted: all of it in the
 * checkout of 29 August 2025 in which 3,193 components of 413 apps did, or in a package that one of these apps
 * published at about that time, or that another app's components wrap one by one.
 */

/** Components of all apps that connect by OAuth, in that checkout. */
export const countedTotal = 3193;

/** Apps that share one definition, counted together. */
export interface CountedFamily {
  readonly name: string;
  /** The slugs of the family. */
  readonly slug: RegExp;
  /** Apps with components. */
  readonly apps: number;
  readonly components: number;
}

export const countedFamilies: readonly CountedFamily[] = [
  { name: 'Google', slug: /^(?:gmail|google_|youtube_)/, apps: 28, components: 268 },
  { name: 'Zoho', slug: /^zoho_/, apps: 31, components: 190 },
  { name: 'Microsoft', slug: /^(?:microsoft|sharepoint)/, apps: 16, components: 110 },
  { name: 'Atlassian', slug: /^(?:jira|confluence|bitbucket)/, apps: 4, components: 55 },
  { name: 'Meta', slug: /^(?:facebook_|instagram_)/, apps: 4, components: 24 },
];

/** Components whose files import that of the app, those of other apps included. */
const inCheckout = {
  hubspot: 73,
  clickup: 57,
  github: 52,
  todoist: 50,
  zoom_admin: 50,
  quickbooks: 48,
  quickbooks_sandbox: 48,
  salesforce_rest_api: 48,
  trello: 43,
  slack: 42,
  xero_accounting_api: 41,
  mailchimp: 39,
  shopify: 37,
  notion: 33,
  zoom: 32,
  asana: 29,
  frontapp: 28,
  airtable_oauth: 26,
  webflow: 26,
  // The two apps of OAuth 1.0a have 50 together.
  smugmug: 7,
};

/** Components that import a package which no other app's import, in the same checkout. */
const byPackage = {
  // `pipedrive`
  pipedrive: 19,
  // `@pipedream/monday`
  monday_oauth: 18,
  // `@pipedream/procore`
  procore_sandbox: 14,
  // `@pipedream/linear_app`
  linear: 11,
  // `@pipedream/clio`, 18 in three apps
  clio_eu: 6,
  clio_canada: 6,
  clio_australia: 6,
  // `@pipedream/ramp`
  ramp_sandbox: 6,
};

/** Files `(sources|actions)/NAME/NAME.mjs` of what the app published. */
const published = {
  // 0.5.6; as many of gitlab_developer_app import it in the checkout
  gitlab: 20,
  // 0.1.1 of 23 September 2025
  linkedin: 17,
  // 0.1.0; as many of procore_sandbox import it in the checkout
  procore: 14,
  // 0.2.1 of 23 September 2025
  docusign: 6,
  // 0.1.1; as many of each of three apps import it in the checkout
  clio: 6,
  // 0.1.2 of 23 September 2025; as many of ramp_sandbox import it in the checkout
  ramp: 6,
};

/** Slug of an app, and its components. */
export const countedApps: ReadonlyMap<string, number> = new Map(
  Object.entries({ ...inCheckout, ...byPackage, ...published }),
);
