import type { ApiServices } from './api-services.ts';
import { isAbsolute } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { publicComponents } from '../../../protocol/missing-components.ts';
import type { Parsed } from '../../../protocol/catalogue.ts';
import {
  answerTrigger,
  bindAccounts,
  moveSecrets,
  takeVersions,
} from '../../workflows/import/answer.ts';
import { remembering } from '../../workflows/import/known-packages.ts';
import { importWorkflows, type ImportOptions } from '../../workflows/import/import.ts';
import type { ImportFrom } from '../../workflows/import/read-import.ts';
import { lacksComponents, packagesIn, reportText } from '../../workflows/import/report.ts';
import { workflowFile } from '../../workflows/lifecycle/resolve-steps.ts';
import type { Handlers } from './operations.ts';

type ImportHandlers = Pick<
  Handlers,
  | 'imports.run'
  | 'imports.answer'
  | 'imports.bind_accounts'
  | 'imports.take_versions'
  | 'imports.move_secrets'
>;

export interface ImportHandlerParts
  extends
    Omit<ImportOptions, 'environment' | 'check' | 'hasPackage'>,
    Pick<
      ApiServices,
      'places' | 'registries' | 'workflows' | 'environment' | 'environmentChanged'
    > {
  /** The id of an account, by its id or name. @throws WeirError `not_found` */
  readonly accountNamed: (idOrName: string) => string;
}

export function importHandlers(parts: ImportHandlerParts): ImportHandlers {
  const check: ImportOptions['check'] = (...of) => parts.workflows.check(...of);
  const hasPackage = remembering((name, signal) =>
    parts.registries.npmFor(name).hasPackage(name, signal),
  );
  return {
    'imports.run': async (params, context) => {
      const { to, replace = false, answered = false, looked_up: lookedUp = [] } = params;
      for (const path of [params.folder, params.zip, to]) {
        if (path !== undefined && !isAbsolute(path)) {
          throw new WeirError('bad_input', `The path ${path} must be absolute.`);
        }
      }
      const from = fromOf(params);
      parts.environment.refresh();
      const report = await importWorkflows(
        { ...parts, check, hasPackage },
        { from, to, replace, answered, lookedUp },
        context,
      );
      const { workflows, ...files } = report;
      const offersPublic = lacksComponents(workflows) && !parts.places.has(publicComponents.place);
      return {
        workflows: workflows.map(({ findings, notUnderstood, ...rest }) => ({
          ...rest,
          findings: [...findings],
          not_understood: [...notUnderstood],
        })),
        written: [...files.written],
        kept: files.kept.map(({ file }) => file),
        differs: [...files.kept],
        others: [...files.others],
        submodules: [...files.submodules],
        packages: packagesIn(workflows),
        offers_public_components: offersPublic,
        markdown: reportText(report, parts.workspace, offersPublic),
      };
    },
    'imports.answer': async ({ workflow_path: path, trigger, props }) => {
      await answerTrigger(workflowFile(path).file, trigger, props);
      return {};
    },
    'imports.bind_accounts': async ({ workflow_path: path, accounts }) => {
      const bound = Object.entries(accounts).map(([from, to]) => [from, parts.accountNamed(to)]);
      return {
        changed: await bindAccounts(workflowFile(path).file, Object.fromEntries(bound)),
      };
    },
    'imports.take_versions': async ({ workflow_path: path, versions }) => ({
      changed: await takeVersions(workflowFile(path).file, versions),
    }),
    'imports.move_secrets': async ({ workflow_path: path }) => {
      const names = await moveSecrets(workflowFile(path).file, parts.environment);
      if (names.length > 0) parts.environmentChanged();
      return { names };
    },
  };
}

/** @throws WeirError `bad_input` unless exactly one place is named */
function fromOf(params: Parsed<'imports.run'>): ImportFrom {
  const { folder, zip, git, api_url: url, api_key: key } = params;
  const given = [folder, zip, git, url].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw new WeirError('bad_input', 'Give one of folder, zip, git and api_url.');
  }
  if (folder !== undefined) return { kind: 'folder', path: folder };
  if (zip !== undefined) return { kind: 'zip', path: zip };
  if (git !== undefined) return { kind: 'git', url: git, branch: params.branch };
  if (url === undefined || key === undefined || key === '') {
    throw new WeirError('bad_input', 'The API needs a key: give api_key.');
  }
  const workflowIds = params.workflow_ids ?? [];
  return { kind: 'api', url, key, orgId: params.org_id, workflowIds };
}
