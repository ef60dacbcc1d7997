import * as z from 'zod';
import { configurableProp } from './components.ts';
import { done, flag, integer, millis } from './fields.ts';
import { operation } from './operation.ts';

const reference = z
  .string()
  .min(1)
  .describe(
    'key, key@version, npm:package@version#key, github:owner/repo/path#commit, git:url#ref:path, or the URL of a file’s page',
  );

/** A place that components are found in. */
export const registry = z.object({
  name: z.string(),
  place: z
    .string()
    .describe('npm, npm:@scope, npm:https://…, npm:@scope=https://…, URL of a repository, folder'),
  kind: z.enum(['npm', 'git', 'folder', 'unusable']),
  problem: z.string().optional().describe('why it is unusable'),
  from: z.enum(['user', 'workspace', 'setting']).describe('where it is configured'),
});

/** A registry that did not answer, and why; it does not hold up the others. */
export const registryProblem = z.object({ registry: z.string(), message: z.string() });

/** A component of a registry, as its text and its package say it: nothing of it has been run. */
export const offeredComponent = z.object({
  reference: z.string().describe('what deploy and add take'),
  key: z.string().nullable().describe('null for a package that does not say what is in it'),
  version: z.string().nullable(),
  type: z.enum(['source', 'action']).nullable(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  app: z.string().nullable().describe('name slug, as the key says it'),
  registry: z.string().describe('name of the registry'),
  place: z.string().describe('URL or folder that it comes from'),
  package: z.string().nullable().describe('npm package'),
  package_version: z.string().nullable(),
  commit: z.string().nullable().describe('of a repository'),
  publisher: z.string(),
  published_at: millis.nullable(),
  license: z.string().nullable(),
  deprecated: z.string().nullable(),
});

/** The facts that a person decides on before anything of a component is run. */
export const trustQuestion = z.object({
  token: z.string().describe('what registries.trust takes'),
  reference: z.string(),
  key: z.string(),
  component_version: z.string(),
  type: z.enum(['source', 'action']),
  name: z.string().nullable(),
  source: z.enum(['npm', 'git', 'folder']),
  registry: z.string().describe('URL or folder'),
  publisher: z.string(),
  package: z.string().nullable(),
  version: z.string().describe('of the package, or the commit'),
  published_at: millis.nullable(),
  is_too_new: z.boolean().describe('younger than the setting registry.minimumAgeDays'),
  license: z.string().nullable(),
  license_note: z.string().nullable().describe('what a reader should know of it'),
  provenance: z.boolean().describe('whether the registry says which build it comes from'),
  deprecated: z.string().nullable(),
  dependencies: z.record(z.string(), z.string()).describe('npm packages by name'),
  install_scripts: z.array(z.string()).describe('scripts that are never run'),
  apps: z.array(z.string()).describe('name slugs of the apps whose accounts it asks for'),
  hosts: z.array(z.string()).describe('that its text names'),
  defines: z
    .array(
      z.object({
        app: z.string().describe('name slug'),
        file: z.string().describe('in its package or repository'),
        hosts: z
          .array(z.string())
          .describe('where people sign in and tokens go; "*" stands for what they fill in'),
        defined_by: z
          .enum(['user', 'built in', 'workspace', 'companion'])
          .nullable()
          .describe('who defines the app already: that counts, and not this; else null'),
      }),
    )
    .describe('apps of which it says how their accounts connect'),
  files: z.number().int(),
  bytes: z.number().int(),
  reasons: z.array(z.string()).describe('why it is asked, or asked again'),
});

/** An entry of weir.lock.json. */
export const lockedComponent = z.object({
  key: z.string(),
  version: z.string(),
  source: z.enum(['npm', 'git', 'folder']),
  registry: z.string(),
  package: z.string().nullable(),
  package_version: z.string().nullable(),
  commit: z.string().nullable(),
  file: z.string(),
  integrity: z.string(),
  license: z.string().nullable(),
  provenance: z.boolean(),
  dependencies_hash: z.string().nullable(),
});

/** The component on this machine after a yes. */
export const addedComponent = z.object({
  key: z.string(),
  version: z.string(),
  type: z.enum(['source', 'action']),
  path: z.string().describe('absolute path of its file; component_path takes it'),
  reference: z.string(),
  locked: lockedComponent,
});

const componentUser = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['source', 'workflow']),
});

/** A component of the lock, beside what its registry has now. */
export const standing = z.object({
  key: z.string(),
  reference: z.string().describe('what is locked; deploy takes it'),
  type: z.enum(['source', 'action']).nullable().describe('null before it is on this machine'),
  path: z
    .string()
    .nullable()
    .describe('absolute path of its file; null before it is on this machine'),
  current: z.string().describe('the locked version'),
  newest: z
    .string()
    .describe('the newest version that may be taken; the locked one where there is none'),
  is_outdated: z.boolean(),
  newer: offeredComponent.nullable().describe('the newest, when it is newer than the locked one'),
  unpublished: z.boolean().describe('its registry does not have the locked version any more'),
  deprecated: z.string().nullable().describe('why nobody should take the locked version'),
  problem: z.string().nullable().describe('why its registry could not be asked'),
  registry: z.string().describe('URL or folder'),
  package: z.string().nullable(),
  package_version: z.string().nullable(),
  used_by: z.array(componentUser).describe('what is deployed with the locked version'),
});

const lockedTarget = z
  .string()
  .min(1)
  .describe(
    'a source, for itself alone; else a key or reference of the lock, for all sources of it',
  );
const updateTo = z
  .string()
  .min(1)
  .optional()
  .describe(
    'version or range of the component, or a reference; the newest that may be taken unless given',
  );

export const operations = {
  'components.outdated': operation({
    scope: 'read',
    summary:
      'Compare what is locked with what the registries have: newer, deprecated and unpublished versions; nothing is updated',
    input: z.object({ key: z.string().optional().describe('only this component') }),
    output: z.object({ data: z.array(standing) }),
    rest: [{ method: 'GET', path: '/v1/components/outdated' }],
  }),
  'components.licenses': operation({
    scope: 'read',
    summary: 'The licenses of the locked components, and what a reader should know of each',
    input: z.object({}),
    output: z.object({
      data: z.array(
        z.object({
          key: z.string(),
          version: z.string(),
          registry: z.string(),
          license: z.string().nullable().describe('null where none is named'),
          note: z.string().nullable().describe('what a reader should know of the license'),
        }),
      ),
    }),
  }),
  'components.compare': operation({
    scope: 'read',
    summary: 'What another version of a locked component would change; nothing is run or updated',
    input: z.object({ component: lockedTarget, to: updateTo }),
    output: z.object({
      key: z.string(),
      from: lockedComponent,
      to: offeredComponent,
      is_same: z.boolean().describe('it is what is locked already'),
      changes: z
        .array(
          z.object({
            of: z.enum([
              'publisher',
              'license',
              'provenance',
              'deprecated',
              'dependencies',
              'install_scripts',
              'apps',
              'hosts',
              'definitions',
              'props',
            ]),
            message: z.string(),
          }),
        )
        .nullable()
        .describe('null when the locked version is neither on this machine nor in its registry'),
      code: z.object({
        before: z.string().nullable(),
        after: z.string(),
      }),
      used_by: z.array(componentUser).describe('sources that an update would bring to it'),
      trust: trustQuestion.nullable().describe('null when an update would not be asked about'),
    }),
    rest: [{ method: 'GET', path: '/v1/components/compare' }],
  }),
  'components.update': operation({
    scope: 'deploy',
    summary:
      'Bring a locked component, and the sources that run it, to another version; they keep id, db, endpoints and dedupe state',
    input: z.object({ component: lockedTarget, to: updateTo }),
    output: z.object({
      key: z.string(),
      from: z.string().describe('version'),
      to: z.string().describe('version'),
      reference: z.string(),
      path: z.string().describe('absolute path of its file'),
      updated: z.array(componentUser),
      remaining: z.array(componentUser).describe('what is still deployed with the version before'),
      locked: lockedComponent,
    }),
    rest: [{ method: 'POST', path: '/v1/components/update' }],
  }),
  'components.eject': operation({
    scope: 'deploy',
    summary:
      'Make the files of a locked component your own: they go into the workspace, sources go over to them, and the lock forgets it',
    input: z.object({
      component: z.string().min(1).describe('key or reference of the lock'),
      into: z
        .string()
        .optional()
        .describe('absolute path of a folder that is not there yet; named by the key unless given'),
    }),
    output: z.object({
      key: z.string(),
      version: z.string(),
      folder: z.string(),
      path: z.string().describe('absolute path of its file'),
      files: z.array(z.string()),
      license: z.string().nullable(),
      updated: z.array(componentUser).describe('sources that run the files of the workspace now'),
      remaining: z
        .array(componentUser)
        .describe('workflows that have its code until their next deploy'),
    }),
    rest: [{ method: 'POST', path: '/v1/components/eject' }],
  }),
  'components.search': operation({
    scope: 'read',
    summary: 'Search the registries for components; each has 5 seconds, and nothing is run',
    input: z.object({
      query: z.string().optional().describe('words of name, key or description'),
      app: z.string().optional().describe('name slug'),
      type: z.enum(['source', 'action']).optional(),
      registry: z.string().optional().describe('name of one registry'),
      limit: integer.min(1).max(500).optional().describe('50 unless given'),
      similarity_threshold: z.coerce.number().optional().describe('taken, and without effect'),
      debug: flag.optional().describe('taken, and without effect'),
    }),
    output: z.object({
      sources: z.array(z.string()).describe('keys'),
      actions: z.array(z.string()).describe('keys'),
      components: z.array(offeredComponent),
      problems: z.array(registryProblem),
    }),
    rest: [{ method: 'GET', path: '/v1/components/search' }],
  }),
  'components.registry': operation({
    scope: 'read',
    summary: 'One component of the registries as its text says it, with its code; nothing is run',
    input: z.object({ key: reference }),
    output: offeredComponent.extend({
      code: z.string(),
      code_hash: z.string().describe('SHA-256 of the text, hex'),
      configurable_props: z
        .array(configurableProp)
        .describe('as far as they can be read without running it'),
      readme: z.string().nullable(),
      versions: z
        .array(
          z.object({
            version: z.string(),
            package_version: z.string().nullable(),
            commit: z.string().nullable(),
            published_at: millis.nullable(),
          }),
        )
        .describe('newest first'),
      others: z.array(z.string()).describe('keys of the other components of its package'),
      files: z.array(z.string()).describe('the files of its code'),
      trust: trustQuestion.nullable().describe('null when it would be deployed without a question'),
    }),
    rest: [{ method: 'GET', path: '/v1/components/registry/{key}' }],
  }),
  'components.add': operation({
    scope: 'deploy',
    summary:
      'Fetch a component of a registry and lock it, without deploying it; 409 trust_needed before a yes',
    input: z.object({ reference }),
    output: addedComponent,
    rest: [{ method: 'POST', path: '/v1/components/registry' }],
  }),
  'components.add_all': operation({
    scope: 'deploy',
    summary:
      'Fetch several components and lock them, as far as they are found; 409 trust_needed asks about all of them at once',
    input: z.object({ references: z.array(reference).min(1).max(200) }),
    output: z.object({
      added: z.array(addedComponent),
      problems: z
        .array(
          z.object({
            reference: z.string(),
            message: z.string(),
            nearest: z
              .string()
              .nullable()
              .describe('the nearest version that there is, as a reference'),
          }),
        )
        .describe('the components that were not found or fetched, and why'),
    }),
    rest: [{ method: 'POST', path: '/v1/components/registry/all' }],
  }),
  'registries.list': operation({
    scope: 'read',
    summary: 'List the registries, in the order in which they are asked',
    input: z.object({}),
    output: z.object({ data: z.array(registry) }),
    rest: [{ method: 'GET', path: '/v1/registries' }],
  }),
  'registries.add': operation({
    scope: 'admin',
    summary: 'Add a registry to the workspace or the user; a repository is cloned at once',
    input: z.object({
      place: z.string().min(1).describe('as in the list of registries'),
      name: z.string().optional().describe('its last word unless given'),
      user: flag.optional().describe('for all workspaces of the user; the workspace unless given'),
    }),
    output: registry,
    rest: [{ method: 'POST', path: '/v1/registries' }],
  }),
  'registries.remove': operation({
    scope: 'admin',
    summary: 'Remove a registry; what was added from it stays',
    input: z.object({ name: z.string().min(1) }),
    output: done,
    rest: [{ method: 'DELETE', path: '/v1/registries/{name}' }],
  }),
  'registries.trust': operation({
    scope: 'deploy',
    summary: 'Say yes to what a trust_needed error asked; repeat the call afterwards',
    input: z.object({ token: z.string().min(1).describe('of the details of the error') }),
    output: done,
    rest: [{ method: 'POST', path: '/v1/registries/trust' }],
  }),
  'registries.trusted': operation({
    scope: 'read',
    summary: 'List the publishers that somebody said yes to, by registry',
    input: z.object({}),
    output: z.object({
      data: z.array(
        z.object({ registry: z.string(), publisher: z.string(), subjects: z.array(z.string()) }),
      ),
    }),
    rest: [{ method: 'GET', path: '/v1/registries/trusted' }],
  }),
  'registries.forget': operation({
    scope: 'deploy',
    summary: 'Forget that a publisher is trusted: the next deploy asks again',
    input: z.object({
      publisher: z.string().min(1),
      registry: z.string().optional().describe('URL or folder; every one unless given'),
    }),
    output: done,
    rest: [{ method: 'POST', path: '/v1/registries/forget' }],
  }),
};
