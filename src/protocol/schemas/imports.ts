import * as z from 'zod';
import { flag } from './fields.ts';
import { operation } from './operation.ts';

const question = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['timer', 'emitter']),
    trigger: z.number().int().describe('which of the file, from 0'),
  }),
  z.object({
    kind: z.literal('account'),
    id: z.string().describe('that of the platform, apn_…'),
    app: z.string().nullable(),
  }),
  z.object({ kind: z.enum(['variable', 'secret']), name: z.string() }),
  z.object({
    kind: z.literal('component'),
    key: z.string(),
    reference: z.string().describe('as the step names it; components.add_all takes it'),
    package: z
      .string()
      .nullable()
      .describe('npm package of the app; null where the npm registry has none, or did not answer'),
    nearest: z
      .string()
      .nullable()
      .optional()
      .describe('the nearest version that a registry has, as a step would name it'),
  }),
]);

const finding = z.object({
  state: z.enum(['answer', 'cannot', 'note']).describe('note: it runs all the same'),
  message: z.string(),
  file: z.string().nullable().describe('null where it is about no file that is here'),
  line: z.number().int().describe('from 1'),
  step: z.string().nullable(),
  question: question.optional(),
});

export const importedWorkflow = z.object({
  name: z.string(),
  id: z.string().nullable().describe('p_…'),
  folder: z.string().nullable().describe('null of one that could not be read or was left out'),
  state: z.enum(['ready', 'answer', 'cannot', 'unread', 'left_out']),
  findings: z.array(finding),
  not_understood: z.array(z.string()).describe('paths into the JSON that the workflow came from'),
});

export const importReport = z.object({
  workflows: z.array(importedWorkflow),
  written: z.array(z.string()).describe('files that were written'),
  kept: z.array(z.string()).describe('files that were here with other content, and stayed'),
  differs: z
    .array(
      z.object({
        file: z.string(),
        change: z
          .enum(['newer', 'edited', 'both', 'unknown'])
          .describe(
            'since it was imported last: newer in the import, edited here, both; unknown where nobody wrote down what was imported',
          ),
      }),
    )
    .describe('the files of kept, and how they differ'),
  others: z.array(z.string()).describe('files of an export that hold no workflow'),
  submodules: z.array(z.string()).describe('paths of git submodules, whose files were not fetched'),
  packages: z
    .array(z.string())
    .describe('npm packages of the apps of missing components; the npm registry has each of them'),
  offers_public_components: z
    .boolean()
    .describe(
      'whether components are missing and github:PipedreamHQ/pipedream is not among the registries',
    ),
  markdown: z.string().describe('the same for a person'),
});

export const operations = {
  'imports.run': operation({
    scope: 'deploy',
    summary:
      'Import workflows from a folder, a ZIP, a git repository or the platform; nothing of them is run, and files that are here stay',
    input: z.object({
      folder: z.string().optional().describe('absolute path of a git-sync folder'),
      zip: z.string().optional().describe('absolute path of a project export'),
      git: z.string().optional().describe('URL of a repository'),
      branch: z.string().optional(),
      api_url: z.string().optional().describe('such as https://api.example.com/v1'),
      api_key: z.string().optional(),
      org_id: z.string().optional().describe('o_…'),
      workflow_ids: z.array(z.string()).optional().describe('p_…, of the API'),
      to: z
        .string()
        .optional()
        .describe('absolute path of the folder that they are put into; a folder stays where it is'),
      replace: flag
        .optional()
        .describe('whether files that differ are overwritten, edits of yours too'),
      answered: flag
        .optional()
        .describe(
          'once more, after answers: that workflow.yaml differs from what was imported is not a news',
        ),
      looked_up: z
        .array(
          z.object({
            reference: z.string(),
            message: z.string(),
            nearest: z.string().nullable().optional(),
          }),
        )
        .optional()
        .describe('the problems that components.add_all told of: the report says them'),
    }),
    output: importReport,
    rest: [{ method: 'POST', path: '/v1/imports' }],
  }),
  'imports.answer': operation({
    scope: 'deploy',
    summary: 'Say how a trigger is set up, in workflow.yaml',
    input: z.object({
      workflow_path: z.string().min(1).describe('absolute path of its folder or workflow.yaml'),
      trigger: z.number().int().min(0).describe('which of the file, from 0'),
      props: z
        .record(z.string(), z.unknown())
        .describe('cron and timezone, intervalSeconds, emitter'),
    }),
    output: z.object({}),
  }),
  'imports.bind_accounts': operation({
    scope: 'deploy',
    summary:
      'Say in workflow.yaml which accounts of this machine take the place of those of the platform',
    input: z.object({
      workflow_path: z.string().min(1).describe('absolute path of its folder or workflow.yaml'),
      accounts: z
        .record(z.string(), z.string())
        .describe('by the id that stands in the file, the id or name of an account'),
    }),
    output: z.object({ changed: z.number().int().describe('props that name another account now') }),
  }),
  'imports.take_versions': operation({
    scope: 'deploy',
    summary: 'Say in workflow.yaml that steps use other versions of their components',
    input: z.object({
      workflow_path: z.string().min(1).describe('absolute path of its folder or workflow.yaml'),
      versions: z
        .record(z.string(), z.string())
        .describe('by the key@version that stands in the file, the one that takes its place'),
    }),
    output: z.object({ changed: z.number().int().describe('steps that use another version now') }),
  }),
  'imports.move_secrets': operation({
    // It sets environment variables, as environment.set does.
    scope: 'admin',
    summary: 'Move secrets that stand in workflow.yaml in clear into the environment',
    input: z.object({ workflow_path: z.string().min(1) }),
    output: z.object({ names: z.array(z.string()).describe('of the variables that were set') }),
  }),
};
